"""The pages: presenters in pure Python, one front end, and three transports between them.

See docs/face.md, and `deduce.face.protocol` for the protocol.
"""
