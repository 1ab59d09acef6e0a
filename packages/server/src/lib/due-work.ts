/** Something that is done whenever it is due: the rows say what and when, this only says that it is time to look. */
export interface DueWork {
  /** The notification that something new may be due. */
  topic: string;
  /**
   * Does what is due and answers when the next is; undefined when nothing is known of. Where it only begins it, `again`
   * says that it is time to look once more.
   */
  work(signal: AbortSignal, again: () => void): Promise<number | undefined>;
  /** Resolves when the work in progress has ended; called after `work` is no longer called. */
  over?(): Promise<void>;
}
