import { expect, it, onTestFinished } from 'vitest';
import { query } from '../../support/gateway.ts';
import { buildImage } from './container-image.ts';
import { freePort } from '../../support/ports.ts';
import { startUpstream, success } from '../../support/upstream/upstream.ts';
import { isMissing, record } from '../evidence.ts';

const isSkipped = isMissing('buildah') || isMissing('busybox');

it.skipIf(isSkipped)(
  'builds an image that serves in production from a read-only root, as a user without rights',
  async () => {
    const image = await buildImage();
    expect(image.config.User).toBe('10001:10001');

    const writing = image.run([
      'sh',
      '-c',
      'id -u; stat -c "data of %u" /data; touch /app/file || touch /tmp/file; ls -d src test node_modules/*',
    ]);
    expect(await writing.exited).not.toBe(0);
    expect(writing.output().match(/Read-only file system/g)).toHaveLength(2);
    const packages = writing.output().match(/^node_modules\/\S+$/gm) ?? [];
    expect(writing.output()).toMatch(/^10001\ndata of 10001$/m);
    expect(writing.output()).not.toMatch(/^(?:src|test)$/m);
    expect(packages).toContain('node_modules/graphql');
    expect(packages).not.toContain('node_modules/typescript');

    const upstream = await startUpstream(() => success({ id: 'c1', type: 'wallet' }));
    onTestFinished(upstream.close);
    const [port, adminPort] = [await freePort(), await freePort()];
    const gateway = image.run(image.config.Cmd, {
      HOST: '127.0.0.1',
      PORT: port,
      ADMIN_PORT: adminPort,
      DRAIN_DELAY_MS: '0',
      UPSTREAM_URL: upstream.url,
    });
    await gateway.printed(/"url":"http:/);
    const { data } = await query({ url: `http://127.0.0.1:${port}` }, '{ customer(id: "c1") { type } }', {
      headers: { svcprivatekey: 'demo-key' },
    });
    expect(data).toEqual({ customer: { type: 'wallet' } });
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    record('Image', `built by Buildah from the Dockerfile, ${packages.length} packages, served from a read-only root`);
  },
  300_000,
);
