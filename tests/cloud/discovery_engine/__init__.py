"""A strict double of the Discovery Engine's REST API (Vertex AI Search), for the real clients of the service.

It keeps its state in memory and refuses what the service is known to refuse. What a test sets: `State.conduct`
(lags, failures, what nobody knows), `State.quotas`, `State.caller` and `State.tokens`, `State.engines`.
"""
