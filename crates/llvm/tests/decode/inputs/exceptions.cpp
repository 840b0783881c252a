// Exceptions, which the decoder reads although nothing runs them: invoke, landingpad, resume.
struct error { int code; };
struct guard { int *count; ~guard() { --*count; } };
int depth;
int risky(int a) { guard held{ &depth }; if (a > 3) throw error{ a }; if (a < 0) throw a; return a * 2; }
int careful(int a) { try { return risky(a) + risky(a + 1); } catch (const error &e) { return e.code; } catch (int) { throw; } catch (...) { return -1; } }
int quiet(int a) noexcept { return risky(a); }
int main(int argc, char **) { return careful(argc) + quiet(argc); }
