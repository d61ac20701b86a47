import { Counter, Gauge, Histogram } from 'prom-client'

/** Counted in prom-client's own registry, which `/metrics` shows. */
export const counted = {
  messages: new Counter({
    name: 'gettone_device_messages_total',
    help: 'Messages of machines that were taken in',
    labelNames: ['kind', 'transport'],
  }),
  items: new Counter({
    name: 'gettone_device_items_total',
    help: 'Journalled items: stored for the first time, or seen before',
    labelNames: ['outcome'],
  }),
  lost: new Counter({ name: 'gettone_device_items_lost_total', help: 'Items that machines say they no longer hold' }),
  deadLetters: new Counter({
    name: 'gettone_dead_letters_total',
    help: 'Messages and items that were refused',
    labelNames: ['reason'],
  }),
  refusedConnections: new Counter({
    name: 'gettone_device_connections_refused_total',
    help: 'Connections of machines that were refused or cut',
    labelNames: ['reason'],
  }),
  retries: new Counter({ name: 'gettone_ingest_retries_total', help: 'Batches that had to wait for the database' }),
  commands: new Counter({
    name: 'gettone_commands_total',
    help: 'Commands sent, told to go, told not to go and reported',
    labelNames: ['step'],
  }),
  batchItems: new Histogram({
    name: 'gettone_ingest_batch_items',
    help: 'Items of one transaction',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
  }),
  commitSeconds: new Histogram({
    name: 'gettone_ingest_commit_seconds',
    help: 'From the arrival of a message to its commit',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30],
  }),
  overload: new Gauge({ name: 'gettone_gateway_overloaded', help: '1 while machines have to wait' }),
  waits: new Counter({ name: 'gettone_device_waits_total', help: 'Machines that were sent a time to wait' }),
  connections: new Gauge({ name: 'gettone_mqtt_connections', help: 'Machines connected over MQTT' }),
  bytesInFlight: new Gauge({
    name: 'gettone_ingest_bytes_in_flight',
    help: 'Bytes of messages that are not yet committed',
  }),
}
