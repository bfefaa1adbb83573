import { compileCode, literal } from '../../runtime/generated-code.ts';
import type { FieldPlan, ObjectPlan, Shape } from './plan-operation.ts';
import type { ObjectRunner, Steps } from './run-plan.ts';

/**
 * An object's selection as code of its own: every value is read and put in its place by name, where only objects of this
 * selection pass. Texts and words, and null where it may stand, are done with at once; the rest takes the general way
 * from there.
 */
export function compileObject({ fields }: ObjectPlan, steps: Steps): ObjectRunner {
  const code = `(() => {
    const { toPath, runField, settleValue, isPromise, put, finish, giveUp } = steps;
    ${fields.map((_, index) => `const f${index} = fields[${index}], s${index} = f${index}.shape;`).join('\n')}
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

/** Whether a field is a property of its source. */
function isProperty({ resolve, constant }: FieldPlan): boolean {
  return resolve === undefined && constant === undefined;
}

function readCode(field: FieldPlan, index: number): string {
  return isProperty(field) ? `const v${index} = given[${literal(field.key)}];` : '';
}

function propertyCode(field: FieldPlan, index: number): string {
  const name = literal(field.name);
  if (field.constant !== undefined) return `${name}: ${literal(field.constant)}`;
  const ready = isProperty(field) ? textCode(field.shape, `v${index}`) : '';
  return `${name}: ${ready === '' ? 'null' : `${ready} ? v${index} : null`}`;
}

/** Whether a value is a text that leaves as it is; empty where none does. */
function textCode({ isText, words }: Shape, value: string): string {
  return isText ? `typeof ${value} === 'string'` : words.map((word) => `${value} === ${literal(word)}`).join(' || ');
}

function settleCode(field: FieldPlan, index: number): string {
  if (field.constant !== undefined) return '';
  const { isNonNull } = field.shape;
  const name = literal(field.name);
  const general = `runField(run, f${index}, source, path ??= toPath(prev, key, field), target)`;
  const ofValue = `settleValue(run, f${index}, s${index}, path ??= toPath(prev, key, field), ${name}, target, v${index})`;
  // What is a method has to be called.
  const value = isProperty(field) ? `typeof v${index} === 'function' ? ${general} : ${ofValue}` : general;
  const wait = isNonNull ? `if (isPromise(p${index})) waiting = put(p${index}, ${name}, target, waiting);` : '';
  const settle = `const p${index} = ${value}; target[${name}] = p${index}; ${wait}`;
  if (!isProperty(field)) return settle;
  const ready = [textCode(field.shape, `v${index}`), isNonNull ? '' : `v${index} === null`].filter(Boolean);
  return ready.length === 0 ? settle : `if (!(${ready.join(' || ')})) { ${settle} }`;
}
