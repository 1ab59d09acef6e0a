/** A run that a person answers and no model: it ends where it begins, and waits. */
export class HandedOver extends Error {
  constructor() {
    super('A person answers');
  }
}
