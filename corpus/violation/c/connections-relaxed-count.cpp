// The server of the verified programs; users are counted down by relaxed operations, so what
// others did is not ordered before the object is deleted.
//~ flags: -- a b
//~ skip: none
#define BUG
#include "../../verified/c/connections.cpp"
