import {
  BookOpen,
  Brain,
  FileText,
  Folder,
  Globe,
  Image,
  ListChecks,
  NotebookPen,
  SquareTerminal,
  UserCheck,
  Wrench,
} from 'lucide-react';

const icons = {
  human_in_the_loop: UserCheck,
  web_research: Globe,
  files: FileText,
  memory: NotebookPen,
  filesystem: Folder,
  code_execution: SquareTerminal,
  agent_memory: Brain,
  documentation: BookOpen,
  todos: ListChecks,
  image_generation: Image,
} as const;

export function ToolIcon({ type }: { type: string }) {
  const Icon = icons[type as keyof typeof icons] ?? Wrench;
  return <Icon size={15} aria-hidden />;
}
