declare module 's3rver' {
  /** A server of S3's protocol over a folder; it has no types of its own. */
  export default class S3rver {
    readonly store: {
      getResourcePath(bucket: string, key: string | undefined, resource: string): string
      /** Answers with the size. */
      putObject(object: { bucket: string; key: string }): Promise<{ size: number }>
      putPart(bucket: string, uploadId: string, part: number, content: unknown): Promise<{ size: number }>
    }
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: { name: string; configs: string[] }[]
    })
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
  }
}
