import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { termsOf } from '../drivers/models/extractive-terms.ts';
import type { Agents } from '../features/agents/service.ts';
import { analyticsRoutes } from '../features/analytics/routes.ts';
import { makeAnalytics } from '../features/analytics/service.ts';
import { forgetEndUsers } from '../features/conversations/end-users.ts';
import type { Conversations } from '../features/conversations/service.ts';
import { makeTranscript } from '../features/conversations/transcript.ts';
import { feedbackRoutes } from '../features/feedback/routes.ts';
import { makeFeedback } from '../features/feedback/service.ts';
import { makeCsatHeard } from '../features/insights/csat-heard.ts';
import { makeCsatTool } from '../features/insights/csat-tool.ts';
import { makeInsightJobs } from '../features/insights/jobs.ts';
import { makeLook } from '../features/insights/look.ts';
import { insightRoutes } from '../features/insights/routes.ts';
import { makeInsightAnswers } from '../features/insights/service.ts';
import { makeTopicSorting } from '../features/insights/topics/sorting.ts';
import type { Registry } from '../features/models/registry.ts';
import { makeSmallQuestions } from '../features/models/small-questions.ts';
import { piiEntities } from '../features/settings/safety.ts';
import { makeUsageExpiry } from '../features/usage/expire.ts';
import type { Safety } from './safety.ts';

export interface InsightOptions {
  db: Database;
  config: Pick<Config, 'insights_model' | 'insights_after_ms' | 'ledger_days'>;
  agents: Agents;
  conversations: Conversations;
  registry: Registry;
  safety: Safety;
}

/** What is learnt from conversations: what people think of them, what they are about, what they cost. */
export function makeInsights({ db, config, agents, conversations, registry, safety }: InsightOptions) {
  const { findPii, privacy } = safety;
  const transcript = makeTranscript({ db });
  const feedbacks = makeFeedback({ db, conversations, transcript, heard: makeCsatHeard(transcript) });
  const findPrivate = (text: string) => findPii(text, piiEntities);
  const topics = makeTopicSorting({ db, termsOf, findPrivate });
  const questions = makeSmallQuestions(registry, config.insights_model);
  const look = makeLook({ db, transcript, findPii, privacy, questions, topics });
  return {
    questions,
    jobs: {
      ...makeInsightJobs({ db, look, after_ms: config.insights_after_ms }),
      expire: makeUsageExpiry({ db, days: config.ledger_days, forgetEndUsers }),
    },
    toolsFor: makeCsatTool({ db, findPii }),
    routes: [
      ...feedbackRoutes(feedbacks),
      ...insightRoutes(makeInsightAnswers({ db, agents, topics })),
      ...analyticsRoutes(makeAnalytics({ db, agents })),
    ],
  };
}
