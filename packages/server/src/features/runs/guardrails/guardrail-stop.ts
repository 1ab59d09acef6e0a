import type { GuardAction, GuardStage, Objection } from '@atrium/contract/runs/events.ts';

/** Thrown when a guardrail objects and the settings end the run for it. */
export class GuardrailStop extends Error {
  readonly stage: GuardStage;
  readonly action: Exclude<GuardAction, 'warn'>;
  readonly objections: readonly Objection[];
  /** The text in place of the reply, or the note to the person who takes over. */
  readonly text: string;

  /** The footer under the reply that the user gets; null when the settings have none. */
  readonly footer: string | null;

  constructor(
    stage: GuardStage,
    action: Exclude<GuardAction, 'warn'>,
    objections: readonly Objection[],
    text: string,
    footer: string | null,
  ) {
    super('A guardrail objected');
    this.stage = stage;
    this.action = action;
    this.objections = objections;
    this.text = text;
    this.footer = footer;
  }
}
