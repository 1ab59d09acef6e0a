import { join } from 'node:path';
import { isCallExpression, isPropertyAccessExpression, type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Checker, type Type } from 'typescript/unstable/sync';
import type { RowProperty } from './compare-row.ts';

/** `db.row<T>(…)`, `db.rows<T>(…)` and `db.one<T>(…)` in a file, by the line and column of the method's name. */
export interface RowCall {
  file: string;
  line: number;
  column: number;
  properties: RowProperty[];
}

function kindOf(checker: Checker, type: Type): RowProperty['kind'] {
  const value = checker.getNonNullableType(type) ?? type;
  if (checker.isArrayLikeType(value)) return 'list';
  const base = [
    ['string', checker.getStringType()],
    ['number', checker.getNumberType()],
    ['boolean', checker.getBooleanType()],
  ] as const;
  return base.find(([, target]) => checker.isTypeAssignableTo(value, target))?.[0] ?? 'other';
}

function propertiesOf(checker: Checker, type: Type): RowProperty[] {
  return checker.getPropertiesOfType(type).map((symbol) => {
    const own = checker.getTypeOfSymbol(symbol) ?? checker.getUnknownType();
    const admits = (other: Type) => checker.isTypeAssignableTo(other, own);
    return {
      name: symbol.name,
      optional: admits(checker.getUndefinedType()),
      kind: admits(checker.getStringType()) && admits(checker.getNumberType()) ? 'other' : kindOf(checker, own),
      nullable: admits(checker.getNullType()),
      text: checker.typeToString(own),
    };
  });
}

/** Every typed query of the given files, with the properties of its row type as the compiler sees them. */
export function readRowCalls(root: string, source: string, files: readonly string[]): RowCall[] {
  const api = new API({ cwd: root });
  try {
    const config = join(root, 'tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} can't be opened`);
    const { checker, program } = project;
    return files.flatMap((file) => {
      const parsed = program.getSourceFile(join(source, file));
      if (!parsed) throw new Error(`${file} is not part of the program`);
      const calls: RowCall[] = [];
      const visit = (node: Node): void => {
        if (isCallExpression(node) && node.typeArguments?.length === 1 && isPropertyAccessExpression(node.expression)) {
          const { name } = node.expression;
          const type = node.typeArguments[0] && checker.getTypeFromTypeNode(node.typeArguments[0]);
          if (['row', 'rows', 'one'].includes(name.text) && type) {
            const above = parsed.text.slice(0, name.end - name.text.length).split('\n');
            const column = (above.at(-1) ?? '').length + 1;
            calls.push({ file, line: above.length, column, properties: propertiesOf(checker, type) });
          }
        }
        if (node.kind !== SyntaxKind.EndOfFile) node.forEachChild(visit);
      };
      visit(parsed);
      return calls;
    });
  } finally {
    api.close();
  }
}
