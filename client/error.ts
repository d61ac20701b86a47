/** The body of a refusal (RFC 9457). `code` identifies the error. */
export interface Problem {
  type: string
  title: string
  status: number
  code: string
  requestId: string
  /** Fields that are not valid. */
  errors?: { path: string; code: string; message: string; rule?: string }[]
  facts?: Record<string, unknown>
}

/** A call that was refused or that failed at the server. */
export class GettoneError extends Error {
  /** The HTTP status. */
  readonly status: number
  /** The code of the error, such as `MachineNotFound`; that of the status, where the answer is no problem document. */
  readonly code: string
  readonly problem: Problem | undefined
  /** Seconds to wait, if the server said so. */
  readonly retryAfter: number | undefined

  constructor(status: number, problem: Problem | undefined, retryAfter?: number) {
    super(problem ? `${problem.code} (${status}, request ${problem.requestId})` : `HTTP ${status}`)
    this.name = 'GettoneError'
    this.status = status
    this.code = problem?.code ?? `Http${status}`
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && typeof (value as Problem).code === 'string'

/** Reads why a call was refused. */
export async function errorOf(answer: Response): Promise<GettoneError> {
  const body: unknown = await answer.json().catch(() => undefined)
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new GettoneError(
    answer.status,
    isProblem(body) ? body : undefined,
    Number.isFinite(seconds) ? seconds : undefined,
  )
}
