import type { AnswerOf, ItemOf } from '@atrium/sdk';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { type useClient, useWorkspace } from '../api/session.ts';
import { agentTabTexts } from '../text/agent-tabs.ts';
import { readCron, saySchedule } from './schedule.ts';

export type Trigger = AnswerOf<'triggers.listOfAgent'>[number];
export type Delivery = ItemOf<'triggers.listDeliveries'>;
type Client = ReturnType<typeof useClient>;
const words = agentTabTexts.triggers;

/** What triggers start. */
export interface TriggerOwner {
  kind: 'agent' | 'workflow';
  id: string;
}

export const triggersQuery = (client: Client, workspace: string, { kind, id }: TriggerOwner) =>
  queryOptions({
    queryKey: [workspace, 'triggers', `of-${kind}`, id],
    queryFn: (): Promise<Trigger[]> =>
      kind === 'agent' ? client.triggers.listOfAgent(id) : Array.fromAsync(client.triggers.eachOfWorkflow(id)),
  });

/** Loads triggers and their deliveries again. */
export function useRefreshTriggers() {
  const queries = useQueryClient();
  const { id } = useWorkspace();
  return () => queries.invalidateQueries({ queryKey: [id, 'triggers'] });
}

export const textAt = (trigger: Trigger, key: string): string | undefined => {
  const value = trigger.definition[key];
  return typeof value === 'string' && value ? value : undefined;
};

/** When a trigger fires, in words. */
export function sayWhen(trigger: Trigger): string {
  const { type } = trigger.definition;
  if (type === 'schedule') return saySchedule(readCron(textAt(trigger, 'cron') ?? ''));
  if (type === 'event') return words.events[textAt(trigger, 'event') ?? ''] ?? textAt(trigger, 'event') ?? '';
  return type === 'webhook' ? words.whenPosted : trigger.routing_key;
}
