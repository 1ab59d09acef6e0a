import {
  Bot,
  Braces,
  Calendar,
  CaseSensitive,
  CircleAlert,
  Clock,
  Code,
  Combine,
  FileInput,
  FileText,
  Filter,
  GitFork,
  Globe,
  Languages,
  ListFilter,
  LogIn,
  LogOut,
  type LucideIcon,
  MessageSquare,
  Repeat,
  Scissors,
  Search,
  Send,
  Sparkles,
  Split,
  Table,
  Tag,
  UserCheck,
  Variable,
  Workflow,
  Wrench,
} from 'lucide-react';
import { cx } from '../../ui/cx.ts';

const icons: Readonly<Record<string, LucideIcon>> = {
  ...{ InputNode: LogIn, FileInputNode: FileInput, ImageInputNode: FileInput, OutputNode: LogOut },
  ...{
    ComposeTextNode: CaseSensitive,
    TextGenerationNode: Sparkles,
    SummaryNode: FileText,
    TextSummarizationNode: FileText,
  },
  ...{ ExtractDataNode: ListFilter, ClassifyNode: Tag, SentimentAnalysisNode: Tag, TranslateNode: Languages },
  ...{ TextSplitterNode: Scissors, JsonTransformNode: Braces, DateNode: Calendar, FileTextNode: FileText },
  ...{ VariableNode: Variable, KnowledgeSearchNode: Search, TableReadNode: Table, TableWriteNode: Table },
  ...{ ConditionNode: GitFork, SwitchNode: Split, LoopNode: Repeat, MergeNode: Combine, ApprovalNode: UserCheck },
  ...{ DelayNode: Clock, SubWorkflowNode: Workflow, ErrorHandlerNode: CircleAlert, FilterNode: Filter },
  ...{
    CodeExecutionNode: Code,
    AgentCallNode: Bot,
    ToolCallNode: Wrench,
    HttpRequestNode: Globe,
    SendWebhookNode: Send,
  },
};
const colors: Readonly<Record<string, string>> = {
  ...{ io: 'text-c1', sources: 'text-c5', data: 'text-c4', logic: 'text-c2', ai_text: 'text-c3', agents: 'text-c3' },
  ...{ integrations: 'text-c6', agent_flow: 'text-c1' },
};

/** The picture of a kind of step, in the colour of its group. */
export function StepIcon({ type, category, size = 15 }: { type: string; category: string; size?: number }) {
  const Icon = icons[type] ?? MessageSquare;
  return <Icon size={size} aria-hidden className={cx('flex-none', colors[category] ?? 'text-text-2')} />;
}
