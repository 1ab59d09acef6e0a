/** What a model behind the messages protocol takes, where that depends on its name. */
export interface ClaudeTraits {
  /** The most output tokens; of models that are not known, what is asked for when a request names no number. */
  max_tokens: number;
  /** Whether `max_tokens` is known to be its limit. */
  known: boolean;
  /** It follows a schema of the answer, and strict schemas of tools. */
  follows_schemas: boolean;
  /** It takes an effort, and chooses how long to think. */
  thinks_by_effort: boolean;
  takes_sampling: boolean;
  /** Its thinking can be turned off. */
  thinking_ends: boolean;
  /** Its least thinking is notes between the calls of tools. */
  notes_between_tools: boolean;
  /** It can be made to call a tool. */
  takes_forced_tools: boolean;
}

const older: ClaudeTraits = {
  max_tokens: 4096,
  known: true,
  follows_schemas: false,
  thinks_by_effort: false,
  takes_sampling: true,
  thinking_ends: true,
  notes_between_tools: false,
  takes_forced_tools: true,
};
const v4_6: ClaudeTraits = { ...older, max_tokens: 128_000, follows_schemas: true, thinks_by_effort: true };
const v4_7: ClaudeTraits = { ...v4_6, takes_sampling: false };
const v5_5: ClaudeTraits = { ...v4_7, thinking_ends: false, takes_forced_tools: false };
const v4_5: ClaudeTraits = { ...older, max_tokens: 64_000, follows_schemas: true };

/** The first that fits. */
const models: readonly (readonly [RegExp, ClaudeTraits])[] = [
  [/claude-sonnet-5-5/, { ...v5_5, notes_between_tools: true }],
  [/claude-(opus-5-5|fable-5-[12])/, v5_5],
  [/claude-(haiku-5-5|opus-5)/, v4_7],
  [/claude-fable-5/, { ...v4_7, thinking_ends: false }],
  [/claude-(opus-4-[78]|sonnet-5)/, v4_7],
  [/claude-(sonnet|opus)-4-6/, v4_6],
  [/claude-(sonnet|opus|haiku)-4-5/, v4_5],
  [/claude-opus-4-1/, { ...v4_5, max_tokens: 32_000 }],
  [/claude-sonnet-4[-@]/, { ...older, max_tokens: 64_000 }],
  [/claude-opus-4[-@]/, { ...older, max_tokens: 32_000 }],
  [/claude-3-haiku/, older],
  [/claude-(instant(-|$)|v?2(?=$|[-.:])|3(?=$|[-.]))/, { ...older, known: false }],
  // Later ones are taken for relatives of the newest.
  [/claude-/, { ...v4_7, known: false }],
];

/** Models of other makers behind the protocol take what the oldest take. */
export const claudeTraits = (model: string): ClaudeTraits =>
  models.find(([name]) => name.test(model))?.[1] ?? { ...older, known: false };
