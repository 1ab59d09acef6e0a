import {
  BookOpen,
  Briefcase,
  Calendar,
  ChartNoAxesColumn,
  CodeXml,
  Languages,
  LifeBuoy,
  PenTool,
  Search,
  Sparkles,
  Users,
} from 'lucide-react';
import type { ComponentType } from 'react';

const icons: Readonly<Record<string, ComponentType<{ size?: number }>>> = {
  'bar-chart': ChartNoAxesColumn,
  'book-open': BookOpen,
  briefcase: Briefcase,
  calendar: Calendar,
  code: CodeXml,
  languages: Languages,
  'life-buoy': LifeBuoy,
  'pen-tool': PenTool,
  search: Search,
  users: Users,
};

export function StartingPointIcon({ name }: { name: string }) {
  const Icon = icons[name] ?? Sparkles;
  return <Icon size={18} />;
}
