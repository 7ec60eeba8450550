"""Published transcripts as logs."""
