import { isOutsider, personBehind, type Scope } from '../../../lib/scope.ts';
import type { Transcript } from '../../conversations/ports.ts';
import type { Subject } from './service.ts';

/**
 * Finds whom a conversation is with: the end user that a client or channel named, else the person who asks, by a session
 * or a key of theirs. Memories about a guest stay within the conversation of that guest.
 */
export const makeMemorySubject =
  (transcript: Pick<Transcript, 'read'>) =>
  async (scope: Scope, conversation_id: string): Promise<Subject> => {
    if (isOutsider(scope)) return { subject: 'link', subject_id: conversation_id };
    const { user_id } = (await transcript.read(scope, conversation_id)).row;
    const subject_id = user_id ?? personBehind(scope);
    return subject_id === null ? { subject: 'everyone', subject_id } : { subject: 'user', subject_id };
  };
