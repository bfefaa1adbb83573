import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a checkout's container image sets for memory: variables, and flags of Node. */
export function imageSettings(root = join(import.meta.dirname, '../..')) {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const variables = dockerfile.matchAll(/\b(NODE_OPTIONS|MALLOC_ARENA_MAX)=(\S+)/g);
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  return {
    environment: Object.fromEntries([...variables].map(([, name = '', value = '']) => [name, value])),
    flags: (JSON.parse(command) as readonly string[]).filter((word) => word.startsWith('--')),
  };
}

/** The memory limit that the shipped Kubernetes manifest gives a pod, in mebibytes. */
export function podMebibytes(): number {
  const deployment = readFileSync(join(import.meta.dirname, '../../deploy/kubernetes.yaml'), 'utf8');
  return Number(/limits: \{ memory: (\d+)Mi \}/.exec(deployment)?.[1]);
}
