/** Estimates how easily passwords are guessed. */
export interface PasswordStrength {
  /**
   * From 0 (among the first guesses) to 4 (hopeless to guess). `context` has words that a guesser of this password would try
   * first: the name of its person, for instance.
   */
  score(password: string, context: readonly string[]): Promise<number>;
}
