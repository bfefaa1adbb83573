import { compileCode, literal } from '../generated-code.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';
import type { ObjectRunner, Steps } from './run.ts';

/**
 * An object's selection as code of its own: texts, and null where it may stand, are read and put in their places at once,
 * by name. What has a resolver, is an object or is an error takes the general way.
 */
export function compileObject({ fields }: ObjectPlan, steps: Steps): ObjectRunner {
  const code = `(() => {
    const { toPath, settle, finish, giveUp } = steps;
    ${fields.map((_, index) => `const f${index} = fields[${index}];`).join('\n')}
    return (run, source, prev, key, field) => {
      const given = typeof source === 'object' && source !== null ? source : nothing;
      ${fields.map(readCode).join('\n')}
      const target = { ${fields.map(propertyCode).join(', ')} };
      let path;
      let waiting;
      try {
        ${fields.map(settleCode).join('\n')}
      } catch (error) {
        return giveUp(waiting, error);
      }
      return waiting === undefined ? target : finish(waiting, target);
    };
  })()`;
  return compileCode(code, { fields, steps, nothing: {} }) as ObjectRunner; // what the code is the text of
}

/** Whether a field is a text that stands ready in its source, as most are. */
function isReady({ resolve, shape, constant }: FieldPlan): boolean {
  return resolve === undefined && shape.isText && constant === undefined;
}

function readCode(field: FieldPlan, index: number): string {
  return isReady(field) ? `const v${index} = given[${literal(field.key)}];` : '';
}

function propertyCode(field: FieldPlan, index: number): string {
  const name = literal(field.name);
  if (field.constant !== undefined) return `${name}: ${literal(field.constant)}`;
  return isReady(field) ? `${name}: typeof v${index} === 'string' ? v${index} : null` : `${name}: null`;
}

function settleCode(field: FieldPlan, index: number): string {
  if (field.constant !== undefined) return '';
  const settle = `waiting = settle(run, f${index}, source, path ??= toPath(prev, key, field), target, waiting);`;
  if (!isReady(field)) return settle;
  const isNothing = field.shape.isNonNull ? '' : ` && v${index} !== null`;
  return `if (typeof v${index} !== 'string'${isNothing}) ${settle}`;
}
