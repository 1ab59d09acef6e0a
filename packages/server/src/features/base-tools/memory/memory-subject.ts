import { isOutsider, type Scope } from '../../../lib/scope.ts';
import type { Transcript } from '../../conversations/ports.ts';
import type { Subject } from './service.ts';

/** Finds the person that a conversation is with. Memories about a guest stay within the conversation of that guest. */
export const makeMemorySubject =
  (transcript: Pick<Transcript, 'read'>) =>
  async (scope: Scope, conversation_id: string): Promise<Subject> => {
    if (isOutsider(scope)) return { subject: 'link', subject_id: conversation_id };
    const { user_id } = (await transcript.read(scope, conversation_id)).row;
    return user_id === null ? { subject: 'everyone', subject_id: null } : { subject: 'user', subject_id: user_id };
  };
