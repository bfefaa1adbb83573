/** The house stays as small as `.ci/budgets.json` says: a room may grow in a commit that says so there. */
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';

const cwd = new URL('../../', import.meta.url).pathname;
const linesOf = (path: string): number => readFileSync(cwd + path, 'utf8').split('\n').length - 1;
const filesIn = (folder: string): readonly string[] =>
  globSync(`${folder}/**/*.ts`, { cwd, exclude: (path) => /node_modules|\.generated\./.test(path) });
const budgets = JSON.parse(readFileSync(`${cwd}.ci/budgets.json`, 'utf8')) as Readonly<Record<string, number>>;
const rooms = Object.keys(budgets).toSorted((one, other) => other.length - one.length);

it('no room has more hand-written lines than its budget', () => {
  const files = ['src', 'test'].flatMap(filesIn);
  const roomOf = (path: string): string => rooms.find((room) => path.startsWith(`${room}/`)) ?? 'nowhere';
  const grown = [...Map.groupBy(files, roomOf)].flatMap(([room, paths]) => {
    const lines = paths.reduce((sum, path) => sum + linesOf(path), 0);
    return lines > (budgets[room] ?? 0) ? [`${room}: ${lines} lines of ${budgets[room]}`] : [];
  });
  expect(grown).toEqual([]);
});

it('no file of the source has more than 300 lines, and no folder more than fifteen files', () => {
  const long = filesIn('src').filter((path) => linesOf(path) > 300);
  const crowded = [...Map.groupBy(['src', 'test'].flatMap(filesIn), dirname)].filter(([, paths]) => paths.length > 15);
  expect([long, crowded.map(([folder]) => folder)]).toEqual([[], []]);
});
