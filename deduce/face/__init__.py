"""The face: presenters in pure Python, one front end, and three transports between them.

See docs/face.md, and `deduce.face.presenter` for the protocol.
"""
