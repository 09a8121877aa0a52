"""What hanpon's Google Cloud adapters are tested against: servers on this machine that speak Google's protocols."""
