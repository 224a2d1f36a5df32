"""The pages: presenters in pure Python, one front end, and three transports between them.

See docs/page.md, and `deduce.pages.protocol` for the protocol.
"""
