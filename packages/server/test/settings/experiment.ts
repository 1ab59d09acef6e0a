import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noEffectOf, type SettingPath, settingPaths } from '@atrium/contract/settings/paths.ts';
import type { SettingName } from '@atrium/contract/settings/settings.ts';
import type { Json, Reply } from '../../src/drivers/models/conformance-support.ts';
import type { MakeGraph, Observation, Observer, ProviderKind } from './observe.ts';

type Values = readonly [unknown, unknown];
type Arranged<T> = T | ((observer: Observer, account: string) => Promise<T>);

/** Asks an agent twice, with two values of a setting, and says in what the outcomes differ. */
export interface Experiment {
  /** The settings of both sides, such as those that the setting needs to have an effect. */
  given?: Arranged<Record<string, unknown>>;
  values: Arranged<Values>;
  /** The messages to the agent; one "Hello" where there are none. */
  says?: readonly string[];
  replies?: readonly Reply[];
  /** The flow of the path `flow`, where one node that chats does not show the effect. */
  graph?: MakeGraph;
  /** The permissions of the caller, where an administrator does not show the effect. */
  permissions?: readonly string[];
  /** The provider of the agent's model, where it matters. */
  provider?: ProviderKind;
  /** Titles of the tests that show the effect in paths that this experiment does not fit. */
  elsewhere?: Partial<Record<SettingPath, string>>;
  look(seen: Observation, observer: Observer): unknown;
  /** The expected outcome with each value. */
  shows: Values;
}
export type Experiments = Partial<Record<SettingName, Experiment>>;

const arrange = async <T extends object>(arranged: Arranged<T>, observer: Observer, account: string): Promise<T> =>
  typeof arranged === 'function' ? arranged(observer, account) : arranged;

/** The outcome of an experiment with its first or its second value. */
export async function outcomeOf(observer: Observer, path: SettingPath, key: SettingName, made: Experiment, at: 0 | 1) {
  const seen = await observer.observe(
    path,
    async (account) => {
      const values = await arrange<Values>(made.values, observer, account);
      const given = await arrange(made.given ?? {}, observer, account);
      const { replies, says = ['Hello'], graph, permissions } = made;
      return { settings: { ...given, [key]: values[at] }, replies, says, graph, permissions };
    },
    made.provider,
  );
  return made.look(seen, observer);
}

/** Runs the experiments, each on every path that its setting has an effect in; those of the keys in SETTINGS alone, if any. */
export function walkExperiments(observer: Observer, experiments: Experiments): void {
  const only = process.env['SETTINGS']?.split(',');
  for (const [name, made] of Object.entries(experiments) as [SettingName, Experiment][]) {
    if (only && !only.includes(name)) continue;
    test(`the values compared for ${name} differ in their outcome`, () =>
      assert.notDeepStrictEqual(made.shows[0], made.shows[1]));
    for (const path of settingPaths)
      if (noEffectOf(name)[path] === null && !made.elsewhere?.[path])
        test(`${name} has its effect by way of ${path}`, async () => {
          for (const at of [0, 1] as const)
            assert.deepEqual(await outcomeOf(observer, path, name, made, at), made.shows[at], `with value ${at}`);
        });
  }
}

/** The text of the instructions in a request. */
export const instructionsOf = ({ sent }: Observation): string =>
  ((sent[0]?.messages ?? []) as Json[])
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n');

/** Whether the instructions have this text. */
export const inInstructions = (text: string) => (seen: Observation) => instructionsOf(seen).includes(text);

/** The names of the tools that the model was offered. */
export const offered = ({ sent }: Observation): string[] =>
  ((sent[0]?.tools ?? []) as Json[]).map((tool) => tool.function.name);

/** The conversation as a guest of its shared link gets it. */
export async function sharedWith({ stored }: Observation, { good }: Observer): Promise<Json> {
  const { public_access_token } = await good('POST', `/v1/conversations/${stored.id}/share`);
  return good('GET', `/v1/public/conversations/${public_access_token}`);
}
