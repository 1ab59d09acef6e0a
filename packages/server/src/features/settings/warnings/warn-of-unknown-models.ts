import type { Scope } from '../../../lib/scope.ts';
import type { SettingsWarnings } from '../ports.ts';

/** Which of these names of models no configured provider is known to have. */
type FindUnknownModels = (scope: Scope, names: readonly string[]) => Promise<readonly string[]>;

/** A provider that does not say what it has holds up no write. */
const patience_ms = 2000;

/** The names, or none when they take longer. */
async function within(ms: number, names: Promise<readonly string[]>): Promise<readonly string[]> {
  const late = Promise.withResolvers<readonly string[]>();
  const timer = setTimeout(() => late.resolve([]), ms).unref();
  try {
    return await Promise.race([names, late.promise]);
  } finally {
    // Else it would keep this request's objects for as long.
    clearTimeout(timer);
  }
}

/** Runs pass over models that they can't find, so the caller gets a warning now. All callers may list the models. */
export const warnOfUnknownModels =
  (findUnknown: FindUnknownModels): SettingsWarnings =>
  async (scope, { model }, at) => {
    if (!model) return [];
    const unknown = await within(patience_ms, findUnknown(scope, model));
    const happens = model.every((name) => unknown.includes(name))
      ? 'the list has no other, so every run fails until one of its models is configured; GET /v1/models lists those that are'
      : 'runs go on to the other models of the list';
    return unknown.map((name) => ({
      loc: [...at, 'model', String(model.indexOf(name))],
      msg: `No configured provider is known to have the model \`${name}\`; ${happens}`,
      type: 'unknown_model',
    }));
  };
