import { formOf } from '@atrium/contract/form-fields/all-forms.ts';
import { fieldKinds } from '@atrium/contract/form-fields/form.ts';
import type { Operation } from '@atrium/contract/operation.ts';
import type { Found, SearchSource, SearchText } from './ports.ts';

/** Those that have the text in their title come before those that have it elsewhere. */
function findIn(entries: readonly (Found & { key: string })[], { q }: SearchText, limit: number): Found[] {
  const sought = q.toLowerCase();
  const has = (text: string | null) => text?.toLowerCase().includes(sought) ?? false;
  const titled = entries.filter(({ title, key }) => has(title) || has(key));
  const others = entries.filter(({ title, key, text }) => !has(title) && !has(key) && has(text));
  return [...titled, ...others].slice(0, limit).map(({ title, text, target }) => ({ title, text, target }));
}

const listSettings = () =>
  fieldKinds.flatMap((form) =>
    formOf(form).fields.map(({ key, variant, label, help }) => ({
      ...{ key, title: label, text: `${help} (${key})`, target: { form, variant, setting: key } },
    })),
  );

const listOperations = (operations: readonly Operation[]) =>
  operations.map(({ id, summary, description = '', route }) => ({
    ...{ key: id, title: summary, text: `${description} (${route})`.trim(), target: { operation_id: id } },
  }));

/** Settings and operations, which are the same for every caller. */
export function makeCatalogueSources(operations: readonly Operation[]): SearchSource[] {
  const help = listOperations(operations);
  // Forms are kept, but made only when they are first asked for.
  return [
    {
      ...{ type: 'settings', permission: null },
      find: async (_scope, text, limit) => findIn(listSettings(), text, limit),
    },
    { ...{ type: 'help', permission: null }, find: async (_scope, text, limit) => findIn(help, text, limit) },
  ];
}
