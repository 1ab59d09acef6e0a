import type { Notification } from '@atrium/contract/notifications/schema.ts';

type Notice = Pick<
  Notification,
  'id' | 'group_id' | 'kind' | 'target' | 'parent' | 'subject' | 'actor' | 'read_at' | 'created_at'
>;

export interface NoticeBundle {
  /** The newest one, which says when and where. */
  newest: Notice;
  ids: string[];
  unread: string[];
  /** What they are about, the newest first. */
  targets: string[];
}

/** Notices of the same kind about the same thing are one line. The newest come first. */
export function bundleNotices(notices: readonly Notice[]): NoticeBundle[] {
  const bundles = new Map<string, NoticeBundle>();
  for (const notice of notices) {
    const about = notice.parent?.id ?? notice.target?.id ?? notice.id;
    const key = `${notice.group_id} ${notice.kind} ${about}`;
    const bundle = bundles.get(key) ?? { newest: notice, ids: [], unread: [], targets: [] };
    bundle.ids.push(notice.id);
    if (notice.target && !bundle.targets.includes(notice.target.id)) bundle.targets.push(notice.target.id);
    if (!notice.read_at) bundle.unread.push(notice.id);
    bundles.set(key, bundle);
  }
  return [...bundles.values()];
}

/** Where a notice leads: to the record in its own workspace. */
export function addressOfNotice({ group_id, kind, target, parent }: Notice): string {
  const base = `/w/${encodeURIComponent(group_id)}`;
  const id = (record: { id: string } | null) => encodeURIComponent(record?.id ?? '');
  if (kind === 'approval_asked') return `${base}/inbox?status=pending${target ? `&item=${id(target)}` : ''}`;
  const conversation = [target, parent].find((record) => record?.kind === 'conversation');
  if (conversation) return `${base}/chat/${id(conversation)}`;
  switch (target?.kind) {
    case 'run':
    case 'workflow_run':
      return `${base}/runs/${id(target)}`;
    case 'agent':
      return `${base}/agents/${id(target)}/build`;
    case 'workflow':
      return `${base}/workflows/${id(target)}`;
    case 'knowledge_base':
      return `${base}/knowledge/${id(target)}/documents`;
    case 'kb_document':
      return `${base}/knowledge/${id(parent)}/documents?doc=${id(target)}`;
  }
  if (parent?.kind === 'agent') {
    const tab = target?.kind === 'trigger' ? 'triggers' : target?.kind === 'deployment' ? 'channels' : 'build';
    return `${base}/agents/${id(parent)}/${tab}`;
  }
  if (kind === 'webhook_disabled') return `${base}/resources/webhooks`;
  if (kind === 'tools_held') return `${base}/resources/connections`;
  if (kind === 'budget_warned' || kind === 'budget_reached') return `${base}/admin`;
  return `${base}/chat`;
}
