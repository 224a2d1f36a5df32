"""The pages: presenters in pure Python, one front end, and three transports between them.

See docs/record/pages.md, and `deduce.pages.protocol` for the protocol.
"""
