/**
 * What one run of the engine has seen and done, as the host keeps one process per run: it tells a lost answer's
 * object from one that was there before, and a rename from two declarations of the same module.
 */
export class ProcessLedger {
  readonly #knownRules = new Set<string>();
  readonly #takenOverRules = new Set<string>();
  readonly #declaredModules = new Set<string>();
  readonly #requestedModules = new Set<string>();
  readonly #ownedModules = new Set<string>();
  readonly #queues = new Map<string, Promise<unknown>>();

  /** Notes a rule that state, or an answer to this process, already holds: no lost answer can be about it. */
  noteRule(id: string): void {
    this.#knownRules.add(id);
  }

  knowsRule(id: string): boolean {
    return this.#knownRules.has(id);
  }

  /**
   * Notes a rule that was there before and that a set of this run has taken over. After a rename, or a move of single
   * rules into a set, the engine deletes the old resource last: that must not delete what the new one stands for.
   */
  noteTakenOverRule(id: string): void {
    this.#takenOverRules.add(id);
  }

  /** Whether a delete of the rule would remove what a set of this run stands for. */
  isRuleTakenOver(id: string): boolean {
    return this.#takenOverRules.has(id);
  }

  /** Notes a module that state holds and that this run's program still declares. */
  noteDeclaredModule(id: string): void {
    this.#declaredModules.add(id);
  }

  /** Notes a module that this run is going to create: it is new in the program, or replaces itself. */
  noteRequestedModule(id: string): void {
    this.#requestedModules.add(id);
  }

  /** Whether this run is going to create the module. */
  isModuleRequested(id: string): boolean {
    return this.#requestedModules.has(id);
  }

  /** Notes a module that this process created, took over or wrote. */
  noteOwnedModule(id: string): void {
    this.#ownedModules.add(id);
  }

  /** Notes that a module was deleted for good, or not created after all. */
  forgetModule(id: string): void {
    this.#ownedModules.delete(id);
    this.#declaredModules.delete(id);
  }

  /** Whether another resource of this run already stands for the module. */
  isModuleTaken(id: string): boolean {
    return this.#ownedModules.has(id) || this.#declaredModules.has(id);
  }

  /**
   * Whether a delete of the module would remove what another resource stands for: one that this process has just
   * created or taken over, or one that the program still declares and does not replace.
   */
  isModuleProtected(id: string): boolean {
    return this.#ownedModules.has(id) || (this.#declaredModules.has(id) && !this.#requestedModules.has(id));
  }

  /** Runs identical work one after another, so that each run sees what the one before it left. */
  async oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.#queues.get(key) ?? Promise.resolve();
    const current = previous.then(work, work);
    this.#queues.set(key, current);
    try {
      return await current;
    } finally {
      if (this.#queues.get(key) === current) this.#queues.delete(key);
    }
  }
}
