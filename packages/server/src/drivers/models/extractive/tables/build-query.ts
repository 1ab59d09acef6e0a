import {
  type Asked,
  type Condition,
  type Figure,
  identifier,
  mostGroups,
  mostRows,
  mostTied,
  type Statement,
  type TableQuery,
} from './table-query.ts';

type Bind = (value: string | number, type: 'text' | 'numeric' | 'date') => string;

function testOf(condition: Condition, bind: Bind): string {
  switch (condition.kind) {
    case 'cells': {
      const values = condition.values.map((value) => `lower(${bind(value, 'text')})`).join(', ');
      const either = condition.column.map(({ name }) => `lower(${identifier(name)}::text) in (${values})`);
      return `(${either.join(' or ')})`;
    }
    case 'flag':
      return `${identifier(condition.column.name)} = true`;
    case 'empty': {
      const name = identifier(condition.column.name);
      return `(${name} is null or ${name}::text = '')`;
    }
    case 'compare':
      return `${identifier(condition.column.name)} ${condition.operator} ${bind(condition.value, 'numeric')}`;
    case 'date': {
      const [name, { from, before, month }] = [identifier(condition.column.name), condition.range];
      const tests = [
        ...(from ? [`${name} >= ${bind(from, 'date')}`] : []),
        ...(before ? [`${name} < ${bind(before, 'date')}`] : []),
        ...(month ? [`extract(month from ${name}) = ${bind(month, 'numeric')}`] : []),
      ];
      return `(${tests.join(' and ')})`;
    }
  }
}

function figureOf({ figure, measure, distinct }: Asked & { kind: 'figure' }): string {
  const counted = distinct ? `count(distinct ${identifier(distinct.name)})` : 'count(*)';
  const column = measure && identifier(measure.name);
  if (!column) return counted;
  const figures: Record<Figure, string> = {
    count: counted,
    sum: `round(sum(${column})::numeric, 2)`,
    average: `round(avg(${column})::numeric, 2)`,
    most: `max(${column})`,
    least: `min(${column})`,
  };
  return figures[figure];
}

/** The statement that answers the question. */
export function buildQuery({ table, asked, conditions }: TableQuery): Statement {
  const params: Statement['params'] = [];
  const bind: Bind = (value, type) => `$${params.push(value)}::${type}`;
  const tests = conditions.map((condition) => {
    const test = testOf(condition, bind);
    // Rows with an empty cell are not those that a question excludes.
    return condition.not ? `coalesce(not (${test}), true)` : test;
  });
  if (asked.kind === 'top') tests.push(`${identifier(asked.by.name)} is not null`);
  const from = `from ${identifier(table.sql_name)}${tests.length > 0 ? ` where ${tests.join(' and ')}` : ''}`;
  if (asked.kind === 'rows')
    return { sql: `select *, count(*) over () as rows_in_all ${from} order by id limit ${mostRows}`, params };
  if (asked.kind === 'top')
    return {
      sql: `select * ${from} order by ${identifier(asked.by.name)} ${asked.order}, id limit ${asked.limit + mostTied}`,
      params,
    };
  const value = figureOf(asked);
  if (!asked.group) return { sql: `select ${value} as figure, count(*) as rows_in_all ${from}`, params };
  const [name, limit] = [identifier(asked.group.name), asked.ranked ? asked.limit + mostTied : mostGroups];
  return {
    sql: `select ${name} as value, ${value} as figure ${from} group by 1 order by 2 ${asked.ranked ?? 'desc'} nulls last, 1 limit ${limit}`,
    params,
  };
}
