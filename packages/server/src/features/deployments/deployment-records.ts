import {
  type ChannelName,
  type ConfigValues,
  channelConfigs,
  channels,
  configInput,
} from '@atrium/contract/deployments/channel-config.ts';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { explainRefusal } from '../../lib/explain-refusal.ts';
import { required } from '../../lib/required.ts';
import { stripSecrets } from '../../lib/secrets/mask-secrets.ts';
import { defineWorkspaceRecords } from '../personal-data/ports.ts';
import { checkWithoutSecrets, type Deployments } from './service.ts';
import { type DeploymentRow, listAllDeployments } from './store.ts';

const mostSecrets = 10;
const deploymentRecord = z.object({
  id: z.guid(),
  agent_id: z.guid(),
  channel: z.enum(channels),
  name: z.string().min(1).max(200),
  custom_instructions: z.string().max(100_000).nullable(),
  /** Without secrets. */
  config: configInput,
  /** The fields of addresses whose credentials were left out. */
  secrets: z.array(z.string().max(100)).max(mostSecrets),
});
type DeploymentRecord = z.output<typeof deploymentRecord>;

/** What has to be given before a deployment can work. */
const secretsOf = (channel: ChannelName) => channelConfigs[channel].secrets.map((name) => `config.${name}`);

function recordOf(row: DeploymentRow): DeploymentRecord {
  const { id, agent_id, channel, name } = row;
  const config = stripSecrets<ConfigValues>(row.config, ['config']);
  const instructions = stripSecrets(row.custom_instructions, ['custom_instructions'], { prose: true });
  const places = new Set([...config.places, ...instructions.places].map((path) => path.slice(0, 2).join('.')));
  return {
    ...{ id, agent_id, channel, name, custom_instructions: instructions.value },
    secrets: [...places].slice(0, mostSecrets),
    config: config.value as DeploymentRecord['config'],
  };
}

/** The deployments of agents. They are imported switched off, without secrets and with new addresses. */
export const makeDeploymentRecords = ({
  db,
  deployments,
}: {
  db: Database;
  deployments: Pick<Deployments, 'restore'>;
}) =>
  defineWorkspaceRecords<DeploymentRecord>({
    kind: 'deployments',
    schema: deploymentRecord,
    async *list(workspace_id) {
      for (const row of await listAllDeployments(db, workspace_id)) yield recordOf(row);
    },
    nameOf: ({ name }) => name,
    idsOf: ({ id }) => [{ kind: 'deployment', id }],
    async refuse(_scope, { agent_id, channel, config }, idOf) {
      if (!idOf('agent', agent_id)) return `agent_id: agent ${agent_id} is not imported`;
      try {
        checkWithoutSecrets(channel, config);
        return undefined;
      } catch (error) {
        const why = explainRefusal(error);
        if (why === undefined) throw error;
        return why;
      }
    },
    async restore({ scope, idOf, rewriteIds, note }, records) {
      for (const { id, agent_id, channel, name, custom_instructions, config, secrets } of records) {
        await deployments.restore(scope, {
          ...{
            id: required(idOf('deployment', id)),
            agent_id: required(idOf('agent', agent_id)),
            channel,
            name,
            config,
          },
          custom_instructions: custom_instructions && rewriteIds(custom_instructions),
        });
        for (const detail of [...secretsOf(channel), ...secrets])
          note({ what: 'secret', kind: 'deployment', name, detail });
      }
    },
  });
