import { AppError } from '@atrium/contract/errors.ts';
import { z } from 'zod';
import { type Extract, NotExtractable } from '../../drivers/extractors/driver.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Files } from '../files/service.ts';
import type { Tool, ToolProvider } from '../tools/ports.ts';
import { defineTool, ToolError } from '../tools/service.ts';

/** How much of a file is read at a time. */
const atOnce = 30_000;
const mostChars = 2_000_000;

interface Needs {
  files: Pick<Files, 'get' | 'read'>;
  extract: Extract;
}

interface Skill {
  name: string;
  description: string;
  instructions: string;
  file_ids: readonly string[];
  /** The author of the agent vouches for the content of its files. */
  trusted: boolean;
}

/**
 * The tools for skills. The prompt contains only the names of skills. The model loads the instructions, which may be long,
 * when it needs a skill, and its files when the instructions mention them.
 */
export function makeSkillTools({ files, extract }: Needs): ToolProvider {
  /** Those that are still there. */
  async function filesOf(scope: Scope, { file_ids }: Skill) {
    const found = [];
    for (const id of file_ids)
      try {
        const { filename: name, size, content_type } = await files.get(scope, id);
        found.push({ id, name, size, content_type });
      } catch (error) {
        if (!(error instanceof AppError && error.kind === 'not_found')) throw error;
      }
    return found;
  }

  async function textOf(scope: Scope, file: Awaited<ReturnType<typeof filesOf>>[number], signal: AbortSignal) {
    const content_type = file.content_type ?? 'application/octet-stream';
    try {
      const options = { filename: file.name, content_type, max_chars: mostChars, signal };
      return (await extract(await files.read(scope, file.id), options)).text;
    } catch (error) {
      if (error instanceof NotExtractable)
        throw new ToolError(`The file ${file.name} could not be read: ${error.message}`);
      throw error;
    }
  }

  return async (_, settings) => {
    const skills = new Map<string, Skill>();
    for (const { name, description = '', instructions, file_ids = [], trusted = false, ...rest } of settings.skills)
      if (rest['enabled'] !== false) skills.set(name, { name, description, instructions, file_ids, trusted });
    if (skills.size === 0) return [];
    const skill = z.enum([...skills.keys()]);
    const list = [...skills.values()].map(({ name, description }) => `- ${name}${description && `: ${description}`}`);

    const load: Tool = defineTool({
      tool: 'skills_load',
      description: `Loads the instructions of a skill. Do so before you begin what it is for. Skills:\n${list.join('\n')}`,
      input: z.object({ name: skill }),
      output: z.object({
        instructions: z.string(),
        files: z.array(z.object({ name: z.string(), size: z.number() })),
      }),
      repeatable: true,
      async run(scope, { name }) {
        const one = required(skills.get(name));
        const found = await filesOf(scope, one);
        return { instructions: one.instructions, files: found.map(({ name: file, size }) => ({ name: file, size })) };
      },
    });
    if ([...skills.values()].every(({ file_ids }) => file_ids.length === 0)) return [load];

    const read: Tool = defineTool({
      tool: 'skills_read_file',
      description: 'Reads a file of a skill, as text. skills_load names the files.',
      input: z.object({
        skill,
        file: z.string().describe('Its name'),
        from: z.int().min(0).optional().describe('Where to begin, in characters; next_from of the answer before'),
      }),
      output: z.object({ text: z.string(), next_from: z.int().nullable() }),
      repeatable: true,
      brings: ['private'],
      async run(scope, { skill: name, file, from = 0 }, signal, _reveal, call) {
        const one = required(skills.get(name));
        const found = (await filesOf(scope, one)).find((own) => own.name === file);
        if (!found) throw new ToolError(`The skill ${name} has no file named ${file}`);
        // Uploaded like any other file, and perhaps downloaded with the skill; its instructions its author has read.
        if (!one.trusted) call.brings('untrusted');
        const text = await textOf(scope, found, signal);
        const end = from + atOnce;
        return { text: text.slice(from, end).toWellFormed(), next_from: end < text.length ? end : null };
      },
    });
    return [load, read];
  };
}
