const pollMs = 500;

export type Readiness = ReturnType<typeof watchReadiness>;

/**
 * Ready from the first connection to the service on. A later outage of the service does not end readiness: without the
 * gateway behind the load balancer, clients would lose its error codes.
 */
export function watchReadiness(isReachable: () => Promise<boolean>) {
  let ready = false;
  let stopped = false;
  const poll = async (): Promise<void> => {
    ready = await isReachable();
    if (!ready && !stopped) setTimeout(() => void poll(), pollMs).unref();
  };
  void poll();
  return { isReady: (): boolean => ready && !stopped, stop: () => void (stopped = true) };
}
