registry = {}


def register(id, entry_point=None, vector_entry_point=None):
    assert "/" in id and "-v" in id, id
    registry[id] = {"entry_point": entry_point, "vector_entry_point": vector_entry_point}
