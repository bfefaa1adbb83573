/**
 * `npm run mutants -- src/upstream/paging`: changes the room's code in hundreds of small ways by StrykerJS, runs its tests
 * against each, and prints the score and what survived. The room's tests are those under test/ in the folder of its
 * name; others are named behind it: `-- src/contract/money.ts test/upstream/values.test.ts`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const [room = '', ...named] = process.argv.slice(2);
if (!existsSync(join(root, room)) || !room.startsWith('src/')) {
  console.error('mutants: npm run mutants -- src/FOLDER_OR_FILE [TESTS]…');
  process.exit(2);
}

/** The nearest folder under test/ that is named as the room or a folder above it. */
function testsOf(path: string): string {
  const folder = path.replace(/^src/, 'test').replace(/\/[^/]*$/, '');
  return existsSync(join(root, folder)) || !folder.includes('/') ? folder : testsOf(path.replace(/\/[^/]*$/, ''));
}

const tests = named.length > 0 ? named : [room.endsWith('.ts') ? testsOf(room) : testsOf(`${room}/any`)];
const mutated = room.endsWith('.ts') ? room : `${room}/**/*.ts`;
console.log(`${mutated}, by ${tests.join(', ')}`);
const { status } = spawnSync(
  'stryker',
  ['run', 'test/mutants/stryker.json', '--mutate', `${mutated},!src/**/*.generated.ts`],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MUTANTS_TESTS: tests.join() },
  },
);
process.exitCode = status ?? 1;
