"""How many queries, and which interval is honest for them."""
