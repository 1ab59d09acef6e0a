import { kbSettingKeys } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import { kbSettingsMetadata, kbSettingsOutline } from '@atrium/contract/knowledge-bases/settings/metadata.ts';
import { type JsonSchema, jsonSchemaOf } from '@atrium/contract/schema/json-schema.ts';
import type { Evidence, SettingKey, ShownWhen } from '@atrium/contract/settings/key.ts';
import { settingsMetadata, settingsOutline } from '@atrium/contract/settings/metadata.ts';
import { noEffectOf, settingPaths, settingsShownByTheirTest } from '@atrium/contract/settings/paths.ts';
import { settingKeys } from '@atrium/contract/settings/settings.ts';
import { baseToolFields, baseTools } from '@atrium/contract/settings/tools/base-tools.ts';
import { otherTools } from '@atrium/contract/settings/tools/other-tools.ts';
import { baseToolTests, otherToolTests } from './base-tool-tests.ts';

const intro = `# Settings

Made by \`npm run docs\` from the schema; do not edit. Every answer carries every key. A key that is not set, or set to null,
has its default; what was set is merged by top-level key, \`base_tools\` by \`type\`.

**Test** names the test that shows the effect. *layout*: a string that screens use, stored and returned. *kept for
clients*: stored and returned as it came. **Has an effect when** names the values that other settings must have; empty: always.
**Lock** names the lock that refuses changes while it is on.

A conversation has the settings of its agent's version. \`settings\` of \`POST /v1/conversations\` and \`PATCH /v1/conversations/{id}\`
change some of them for that conversation: \`{"settings": {"temperature": 0.7}}\`.

A write that is stored but can't have its effect is answered with \`warnings: [{loc, msg, type}]\`, judged by all settings
after the merge: \`setting_has_no_effect\` (the condition does not hold, or the switch has nothing to switch on), \`unknown_model\`,
\`tool_on_and_off\` (in \`tools\` and \`base_tools\` of one layer), \`guardrail_unavailable\`.

**Class** says which callers may change a key on a conversation. An API key with \`agents_run\` alone may change every
*presentation* key, and any other key in the direction that **stricter** names; an empty **stricter** column means in none. All other
changes need \`agents_edit\`. A key of the class *capability* also needs the permission of each thing that it newly refers to:

| reference | permission |
|---|---|
| variables, databases, templates in tools | \`variables_read\` |
| knowledge bases, \`kb_qa\`, \`kb_selector\` | \`kbs_query\` |
| files, files of skills | \`files_read\` |
| tables | \`tables_read\`, to write \`tables_edit\` |
| workflows, \`agent_flow_id\` | \`flows_run\` |
| subagents, co-workers | \`agents_run\` |
| code execution, sandboxes, files made by code | \`sandboxes_run\` |
| MCP servers with a stored login | \`integrations_edit\` |

A refused change is answered with 403 \`setting_forbidden\`, which names each key, the missing permissions and the direction that is
allowed without them. \`preview\`, a version that is not published, and a message's \`model_selection\`, \`kb_id\` and \`workflow_id\` follow
the same rules. Why: [0033](decisions/0033-who-may-change-which-setting.md).
`;

const kbIntro = `
## Settings of knowledge bases

\`settings_\` of a knowledge base. Callers with \`kbs_edit\` change them. **Train again**: documents follow a change after
\`POST /v1/knowledge-bases/{knowledge_base_id}/reindex\`; new documents follow it at once. An evaluation can try other values of the
sections Search, Reranking, Embedding and Personal data without storing them.
`;

function rangeOf({ minimum, exclusiveMinimum, maximum }: JsonSchema): string {
  const limits = [
    ...(minimum === undefined ? [] : [`≥ ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`> ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`≤ ${maximum}`]),
  ];
  return limits.length ? ` ${limits.join(', ')}` : '';
}

/** A JSON Schema in words. */
function typeOf(schema: JsonSchema): string {
  const { type, items, properties, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.map((option) => typeOf(option as JsonSchema)).join(' or ');
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(', ');
  if (type === 'array') return `array of ${typeOf((items ?? {}) as JsonSchema)}`;
  if (type === 'object' && properties) return `{${Object.keys(properties).join(', ')}}`;
  return `${typeof type === 'string' ? type : 'any'}${rangeOf(schema)}`;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |\n`;
const code = (value: unknown) => `\`${JSON.stringify(value)}\``;
const testOf = (evidence: Evidence) => (typeof evidence === 'string' ? `*${evidence}*` : evidence.test);

function conditionOf(shownWhen: ShownWhen | null): string {
  if (!shownWhen) return '';
  const [conditions, joint] = 'all' in shownWhen ? [shownWhen.all, ' and '] : [shownWhen.any, ' or '];
  return conditions
    .map(
      ({ key, field, is }) => `\`${key}\`${field ? `.${field}` : ''} is ${is.map((value) => code(value)).join(' or ')}`,
    )
    .join(joint);
}

const typeIn = ({ schema }: SettingKey) => typeOf(jsonSchemaOf(schema, 'input'));

function tableOf(columns: readonly string[], rows: readonly string[][]): string {
  return row([...columns]) + row(Array(columns.length).fill('---')) + rows.map(row).join('');
}

const agentColumns = [
  ...['key', 'label', 'type', 'default', 'help', 'class', 'stricter', 'lock'],
  ...['has an effect when', 'test'],
];

function sectionTable(group: string, section: string): string {
  const shown = settingsMetadata().filter((setting) => setting.group === group && setting.section === section);
  const rows = shown.map((setting) => {
    const { key, label, help, stricter, lock, shownWhen } = setting;
    const standard = key === 'base_tools' ? 'the ten entries below' : code(setting.default);
    return [
      ...[`\`${key}\``, label, typeIn(settingKeys[key]), standard, help, setting.class, stricter ?? ''],
      ...[lock ? `\`${lock}\`` : '', conditionOf(shownWhen), testOf(settingKeys[key].evidence)],
    ];
  });
  return `\n### ${section}\n\n${tableOf(agentColumns, rows)}`;
}

/** The fields that all ten have are named once; each row shows what a type adds or has another default for. */
function toolTable(): string {
  const names = [...(baseToolFields.get('memory')?.keys() ?? [])];
  const plain: Record<string, unknown> = { enabled: false, visible: true };
  const rows = baseTools.map((tool) => {
    const own = Object.entries(tool).filter(([name, value]) =>
      name in plain ? plain[name] !== value : !names.includes(name) && name !== 'type',
    );
    const optional = [...(baseToolFields.get(tool.type)?.keys() ?? [])].filter((name) => !(name in tool));
    const extra = [
      ...own.map(([name, value]) => `${name} ${code(value)}`),
      ...optional.map((name) => `${name} (none)`),
    ];
    const tests = [...new Set(Object.values(baseToolTests[tool.type] ?? {}).map(testOf))];
    return row([`\`${tool.type}\``, String(tool.description), extra.join(', '), tests.join('; ')]);
  });
  return (
    `\n### Base tools\n\nEvery entry has ${names.map((name) => `\`${name}\``).join(', ')} and \`type\`; \`enabled\` is ` +
    `false and \`visible\` true unless stated.\n\n${row(['type', 'what it does', 'extra fields and defaults', 'test'])}` +
    `${row(Array(4).fill('---'))}${rows.join('')}`
  );
}

/** Entries of `tools` of other types that the agent gets tools from by nothing but their fields. */
function otherTable(): string {
  const rows = otherTools.map(({ type, effect, defaults }) => {
    const fields = Object.entries(defaults).map(([name, value]) => `${name} ${code(value)}`);
    const tests = [...new Set(Object.values(otherToolTests[type] ?? {}).map(testOf))];
    return row([`\`${type}\``, effect, fields.join(', '), tests.join('; ')]);
  });
  return (
    `\n### Other entries of \`tools\`\n\nAny entry may have \`extra_instructions\`, which models are told with its tools.\n\n` +
    `${row(['type', 'what it does', 'fields and defaults', 'test'])}${row(Array(4).fill('---'))}${rows.join('')}`
  );
}

const pathsIntro = `
## What the caller sees on each path

| | conversation, blocking | conversation, streamed | chat completions | asked by an agent | channel |
| --- | --- | --- | --- | --- | --- |
| sources | with the reply, as \`citation_style\` says | as parts of the stream | \`message.annotations\`; in a stream with the last piece | with the reply in the conversation of the asked agent | with \`transport_show_sources\` |
| warnings of the run | in the reply's metadata | \`warning\` events | \`warnings\` | in the conversation of the asked agent | none |
| calls of the agent's tools | parts of the message | parts of the stream | none | none; the asking agent reads the reply | with \`transport_show_tool_calls\` |
| a call that waits for approval | 200 with the status \`awaiting_human_feedback\`; the request is at \`/approvals\` | a request part, then the stream ends | \`finish_reason: "content_filter"\` | the status \`awaiting_human_feedback\`; named people of the asking agent decide too | nothing until it is decided |
| a refusal of a guardrail | the reply that the guardrail gives, or a failed run | the same, as parts | 200 with \`content_filter\` | the reply that the guardrail gives, or an error | the reply that the guardrail gives |

## Where each setting has its effect

*conversation*: a message to a conversation of the agent. *flow*: a message to a conversation that the agent's flow drives.
*subagent*: a task from another agent. *completions*: \`POST /v1/chat/completions\`. Where a cell says **yes**, \`npm run test:slow\`
asks the agent with two values of the setting and compares what the provider got, what the caller was shown or what was stored;
the settings marked * are shown by the test that the tables above name.

`;

/** For each setting with an effect, the paths that it has it in. */
function pathsTable(): string {
  const shown = settingsMetadata().filter(({ key }) => typeof settingKeys[key].evidence === 'object');
  const rows = shown.map(({ key }) => {
    const none = noEffectOf(key);
    const mark = settingsShownByTheirTest.has(key) ? ' *' : '';
    return [`\`${key}\`${mark}`, ...settingPaths.map((path) => none[path] ?? 'yes')];
  });
  return pathsIntro + tableOf(['key', ...settingPaths], rows);
}

const kbColumns = ['key', 'label', 'type', 'default', 'help', 'train again', 'has an effect when', 'test'];

function kbTables(): string {
  const tables = kbSettingsOutline.flatMap(({ group, sections }) =>
    sections.map((section) => {
      const shown = kbSettingsMetadata().filter((setting) => setting.group === group && setting.section === section);
      const rows = shown.map(({ key, label, help, shownWhen, needsReindex, default: standard }) => [
        ...[`\`${key}\``, label, typeIn(kbSettingKeys[key]), code(standard), help, needsReindex ? 'yes' : ''],
        ...[conditionOf(shownWhen), testOf(kbSettingKeys[key].evidence)],
      ]);
      return `\n### ${section}\n\n${tableOf(kbColumns, rows)}`;
    }),
  );
  return `${kbIntro}\n${kbSettingsMetadata().length} keys.\n${tables.join('')}`;
}

/** docs/settings.md: every setting with its label, type, default, help and the test that shows its effect. */
export function settingsDocument(): string {
  const groups = settingsOutline.map(({ group, label, sections }) => {
    const tables = sections.map((section) => sectionTable(group, section)).join('');
    return `\n## ${label}\n${tables}${group === 'capabilities' ? toolTable() + otherTable() : ''}`;
  });
  return `${intro}\n${settingsMetadata().length} keys.\n${groups.join('')}${pathsTable()}${kbTables()}`;
}
