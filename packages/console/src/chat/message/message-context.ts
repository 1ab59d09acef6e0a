import { createContext, useContext } from 'react';
import type { Thread } from '../thread/thread-store.ts';

export interface ThreadPeople {
  thread: Thread;
  workspaceId: string;
  agentName: string;
  agentPicture: string | null | undefined;
  /** Whether the person may write here. */
  maySend: boolean;
  /** The models of the agent, in the order in which they are asked. Left out where no other can be chosen. */
  models?: readonly string[] | undefined;
}

/** Who takes part in the thread. Its value stays the same while an answer is written. */
export const ThreadContext = createContext<ThreadPeople | undefined>(undefined);

export function useThreadPeople(): ThreadPeople {
  const people = useContext(ThreadContext);
  if (!people) throw new Error('There is no thread here');
  return people;
}
