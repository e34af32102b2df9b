"""The same work in blocks: on threads, on a cluster, with checkpoints, within a given memory."""
