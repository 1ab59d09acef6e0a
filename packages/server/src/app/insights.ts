import { piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Agents } from '../features/agents/service.ts';
import { makeConversationFigures } from '../features/analytics/conversation-figures.ts';
import { analyticsRoutes } from '../features/analytics/handlers.ts';
import { makeAnalytics } from '../features/analytics/service.ts';
import { deleteUnusedEndUsers } from '../features/conversations/end-user-store.ts';
import type { Conversations } from '../features/conversations/service.ts';
import { makeTranscript } from '../features/conversations/transcript.ts';
import { feedbackRoutes } from '../features/feedback/handlers.ts';
import { makeFeedback } from '../features/feedback/service.ts';
import { makeConversationAnalysis } from '../features/insights/analyze-conversations.ts';
import { makeCsatFromFeedback } from '../features/insights/csat-from-feedback.ts';
import { makeCsatTool } from '../features/insights/csat-tool.ts';
import { insightRoutes } from '../features/insights/handlers.ts';
import { makeInsightJobs } from '../features/insights/jobs.ts';
import { makeInsightsService } from '../features/insights/service.ts';
import { makeTopicSorting } from '../features/insights/topics/topic-sorting.ts';
import { findTopicNames } from '../features/insights/topics/topic-store.ts';
import { makeModelQuestions } from '../features/model-questions/service.ts';
import type { ModelDefaults } from '../features/models/model-defaults.ts';
import type { Registry } from '../features/models/service.ts';
import { findNamesOfPeople } from '../features/people/service.ts';
import { makeUsageExpiry } from '../features/usage/usage-expiry.ts';
import type { Counters } from '../lib/counters/ports.ts';
import { termsOf } from '../lib/text/terms.ts';
import type { Safety } from './safety.ts';

export interface InsightOptions {
  db: Database;
  defaults: Pick<ModelDefaults, 'current'>;
  config: Pick<Config, 'insights_after_ms' | 'ledger_days'>;
  agents: Agents;
  conversations: Conversations;
  registry: Registry;
  safety: Safety;
  workspaceNames: Parameters<typeof makeAnalytics>[0]['workspaceNames'];
  counters: Counters;
}

/** Feedback, satisfaction, topics and analytics of conversations. */
export function composeInsights(options: InsightOptions) {
  const { db, defaults, config, agents, conversations, registry, safety, workspaceNames, counters } = options;
  const { findPii, privacy } = safety;
  const transcript = makeTranscript({ db });
  const feedbacks = makeFeedback({ db, conversations, transcript, onFeedback: makeCsatFromFeedback(transcript) });
  const findPrivate = (text: string) => findPii(text, piiEntities);
  const topics = makeTopicSorting({ db, termsOf, findPrivate });
  const questions = makeModelQuestions(registry, () => defaults.current('insights'));
  const analyze = makeConversationAnalysis({ db, transcript, findPii, privacy, questions, topics });
  return {
    questions,
    jobs: {
      ...makeInsightJobs({ db, analyze, after_ms: config.insights_after_ms }),
      expire: makeUsageExpiry({ db, days: config.ledger_days, deleteUnusedEndUsers }),
    },
    toolsFor: makeCsatTool({ db, findPii }),
    routes: [
      ...feedbackRoutes(feedbacks),
      ...insightRoutes(makeInsightsService({ db, agents, topics })),
      ...analyticsRoutes(
        makeAnalytics({ db, agents, people: { names: findNamesOfPeople }, workspaceNames, counters }),
        makeConversationFigures({ db, topicNames: (workspace_id, ids) => findTopicNames(db, workspace_id, ids) }),
      ),
    ],
  };
}
