"""Authentication and servers in words. Both are the same for most operations, so each is printed once."""

from hanpon.contracts.operations import SchemeUse, Security, Server
from renderers.markdown_text import MarkdownTexts
from renderers.page import macro, marked, text
from renderers.payload_parts import caption_of
from renderers.schema_words import MARK, SchemaWords, coded, coded_list


class Surroundings:
    """Prints what an operation shares with others. Equal values give equal HTML."""

    def __init__(self, words: SchemaWords, markdown: MarkdownTexts) -> None:
        self._words = words
        self._markdown = markdown
        self._security: dict[int, tuple[Security | None, str]] = {}
        self._servers: dict[int, tuple[tuple[Server, ...], str]] = {}

    def security(self, security: Security | None) -> str:
        """Alternatives, combinations and what is optional, in one sentence; then each scheme in detail."""
        known = self._security.get(id(security))
        if known is None:  # the value is kept beside its HTML, so its identity cannot be given to another
            known = self._security[id(security)] = (security, self._print_security(security))
        return known[1]

    def _print_security(self, security: Security | None) -> str:
        uses = {use.name + repr(use.scopes): use for combination in security or () for use in combination}
        rows = [
            {
                "name": use.name,
                "how": marked(self._how(use)),
                "scopes": marked("; ".join(map(self._scope, use.scopes))),
                "text": marked(self._markdown.html(use.description)),
            }
            for use in uses.values()
        ]
        caption = caption_of(self._words.labels, "security")
        sentence = marked(self._sentence(security))
        return str(macro("parts.html", "security")(self._words.labels, caption, sentence, rows))

    def _sentence(self, security: Security | None) -> str:
        words = self._words
        if security is None:
            return words.label("security_unsaid")
        wanted = [combination for combination in security if combination]
        if not wanted:
            return words.label("security_none")
        schemes = words.label("or_else").join(
            words.label("and").join(self._name(use) for use in combination) for combination in wanted
        )
        if len(wanted) < len(security):
            return words.label("security_optional", schemes=schemes)
        return words.label("security_one" if len(wanted) == 1 else "security_any", schemes=schemes)

    def _name(self, use: SchemeUse) -> str:
        name = coded(use.name)
        return name if use.type else words_of_undefined(self._words, name)

    def _scope(self, scope: tuple[str, str]) -> str:
        name, description = scope
        return f"{coded(name)} {text(description)}" if description else coded(name)

    def _how(self, use: SchemeUse) -> str:
        words = self._words
        pieces = []
        if not use.type:
            pieces.append(MARK(words_of_undefined(words, coded(use.name))))
        elif use.type == "apiKey" and f"apiKey_{use.location}" in words.labels:
            pieces.append(words.label(f"apiKey_{use.location}", parameter=coded(use.parameter)))
        elif use.type == "http":
            pieces.append(words.label("http_scheme", scheme=text(use.scheme)))
            if use.bearer_format:
                pieces.append(words.label("bearer_format", value=text(use.bearer_format)))
        elif use.type == "openIdConnect":
            pieces.append(words.label("openIdConnect", value=coded(use.url)))
        elif use.type in {"oauth2", "mutualTLS"}:
            pieces.append(words.label(use.type))
            if use.url:
                pieces.append(words.label("metadata_url", value=coded(use.url)))
        else:
            pieces.append(text(use.type))
        for flow in use.flows:
            urls = [words.label(name, value=coded(url)) for name, url in flow.urls]
            pieces.append(", ".join([words.label("flow", name=text(flow.name)), *urls]))
        if use.deprecated:
            pieces.append(MARK(words.label("deprecated")))
        return "; ".join(pieces)

    def servers(self, servers: tuple[Server, ...]) -> str:
        """Addresses with what their variables may be."""
        known = self._servers.get(id(servers))
        if known is None:
            known = self._servers[id(servers)] = (servers, self._print_servers(servers))
        return known[1]

    def _print_servers(self, servers: tuple[Server, ...]) -> str:
        words = self._words
        rows = []
        for server in servers:
            variables = []
            for variable in server.variables:
                phrases = [words.label("default", value=coded(variable.default))] if variable.default else []
                if variable.enum:
                    phrases.append(words.label("allowed", values=coded_list(variable.enum)))
                description = marked(self._markdown.html(variable.description))
                variables.append(
                    {"name": variable.name, "words": marked("; ".join(phrases)), "description": description}
                )
            description = marked(self._markdown.html(server.description))
            rows.append({"url": server.url, "description": description, "variables": variables})
        return str(macro("parts.html", "servers")(words.labels, rows))


def words_of_undefined(words: SchemaWords, name: str) -> str:
    return words.label("undefined_scheme", name=name)
