// Scenarios larger than a story, for the browser tests and the benchmark of the page.

export function largeScenario({ partitions, members, records, perSecond, handling = "200ms", endsAt }) {
  const client = { family: "java", version: "4.0" };
  return {
    format: "logstep/1",
    title: `${partitions} partitions, ${members} members, ${records} records`,
    seed: 1,
    ends_at: endsAt,
    cluster: { kafka: "4.0", network: { latency: "4ms" } },
    topics: [{ name: "orders", partitions }],
    producers: [
      { name: "shop", client, topic: "orders", workload: { from: "5s", per_second: perSecond, records, keys: 8 * partitions, key_prefix: "order-" } },
    ],
    groups: [
      {
        name: "billing",
        client,
        settings: { "enable.auto.commit": false, "auto.offset.reset": "earliest", "partition.assignment.strategy": "range" },
        handling: { time: handling, commit: { after_records: 5 }, writes_to: "payments" },
        members: Array.from({ length: members }, (_, index) => ({ name: `c${index + 1}` })),
      },
    ],
    sinks: [{ name: "payments", unique_key: null }],
  };
}
