import { conflict } from '@atrium/contract/errors.ts';
import type { RegenerateRequest } from '@atrium/contract/runs/message-request.ts';
import type { IfRunning } from '@atrium/contract/runs/schema.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Attachments } from '../../attachments/service.ts';
import type { Transcript } from '../../conversations/ports.ts';
import type { UserPart } from '../../messages/ports.ts';
import { requireMessagePermissions } from './message-permissions.ts';
import type { Begun } from './start-once.ts';

interface BranchDeps {
  transcript: Transcript;
  attachments: Attachments;
  /** Whether the models of these settings take images. */
  sees(scope: Scope, settings: Settings): Promise<boolean>;
  /** Refuses a choice of models none of which is configured. */
  requireModels(scope: Scope, names: readonly string[]): Promise<void>;
  begin(
    scope: Scope,
    conversation_id: string,
    if_running: IfRunning,
    said: (tx: Db) => Promise<UserPart>,
    options?: { instead?: Partial<UserPart> | undefined },
  ): Promise<Omit<Begun, 'joined'>>;
  once(scope: Scope, begin: () => Promise<Omit<Begun, 'joined'>>): Promise<Begun>;
}

/** Runs that replace what was said from a message on: the conversation continues on a new branch. */
export function makeBranches({ transcript, attachments, sees, requireModels, begin, once }: BranchDeps) {
  const replaceFrom = (tx: Db, scope: Scope, conversation_id: string, seq: number) =>
    transcript.supersedeFrom(tx, scope.workspace_id, conversation_id, seq, newId());

  /** Refuses models that the caller may not choose or that can't be asked; returns the check of the message they answer. */
  async function checkChoice(scope: Scope, conversation_id: string, model_selection: string[]) {
    const { settings } = await transcript.read(scope, conversation_id);
    requireMessagePermissions(scope, settings, { model_selection });
    await requireModels(scope, model_selection);
    const { convert_unsupported_files_to_text } = settings;
    const vision = convert_unsupported_files_to_text || (await sees(scope, { ...settings, model: model_selection }));
    return ({ files = [] }: UserPart) =>
      attachments.check(files, { vision, convert_unsupported_files_to_text }, ['body', 'model_selection']);
  }

  return {
    /** Replaces a message of the user. */
    edit: (scope: Scope, conversation_id: string, message_id: string, content: string) =>
      once(scope, () =>
        begin(scope, conversation_id, 'reject', async (tx) => {
          const message = await transcript.getMessage(tx, scope, conversation_id, message_id);
          if (message.role !== 'user') throw conflict('Only what a user said can be edited');
          await replaceFrom(tx, scope, conversation_id, message.seq);
          return { ...required(JSON.parse(message.parts)[0]), content };
        }),
      ),

    /** Another answer to the same message. Chosen models give this one answer: the message does not keep them. */
    regenerate: (
      scope: Scope,
      conversation_id: string,
      message_id: string,
      { model_selection = [] }: RegenerateRequest = {},
    ) =>
      once(scope, async () => {
        const chosen = model_selection.length ? { model_selection } : undefined;
        const check = chosen && (await checkChoice(scope, conversation_id, model_selection));
        const question = async (tx: Db) => {
          const reply = await transcript.getMessage(tx, scope, conversation_id, message_id);
          const { parts, seq } = await transcript.getQuestion(tx, scope, conversation_id, reply);
          const part: UserPart = required(JSON.parse(parts)[0]);
          check?.(part);
          await replaceFrom(tx, scope, conversation_id, seq);
          return part;
        };
        return begin(scope, conversation_id, 'reject', question, { instead: chosen });
      }),
  };
}
