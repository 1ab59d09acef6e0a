import {
  BookOpen,
  ChartNoAxesColumn,
  Clock,
  Hand,
  IdCard,
  type LucideIcon,
  MessageSquare,
  Settings,
  ShieldCheck,
  Sparkles,
  SquareTerminal,
  Type,
  Users,
} from 'lucide-react';
import type { GroupId } from '../editor/outline.ts';

export const groupIcons: Record<GroupId, LucideIcon> = {
  instructions: Type,
  model: Sparkles,
  tools: SquareTerminal,
  knowledge: BookOpen,
  team: Users,
  safety: ShieldCheck,
  people: Hand,
  conversation: MessageSquare,
  limits: Clock,
  insights: ChartNoAxesColumn,
  general: IdCard,
  advanced: Settings,
};
