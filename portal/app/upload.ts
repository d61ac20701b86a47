import type { ErrorCode } from '#contract/errors.ts'
import { errors } from '#contract/errors.ts'
import type { AnyEndpoint, ResultOf } from '#contract/frame/endpoint.ts'
import { addressOf } from './address.ts'
import { bearerToken } from './api.ts'
import { ApiError, type Problem } from './apiError.ts'

interface Upload {
  params: Record<string, string>
  file: File
  /** Beside the file's name and size. */
  query?: Record<string, string>
  /** From 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

const problemIn = (text: string): Problem => {
  try {
    return JSON.parse(text) as Problem
  } catch {
    return {}
  }
}

/** Sends a file to a row that takes one, and says how much has left. `fetch` does not know that. Throws ApiError. */
export async function upload<E extends AnyEndpoint>(row: E, { params, file, query, onProgress, signal }: Upload) {
  const token = await bearerToken()
  return new Promise<ResultOf<E>>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(row.method, addressOf(row.path, { params, query: { name: file.name, bytes: file.size, ...query } }))
    request.setRequestHeader('content-type', row.takes ?? 'application/octet-stream')
    request.setRequestHeader('accept', 'application/json')
    const id: string | undefined = crypto.randomUUID?.()
    if (id) request.setRequestHeader('x-request-id', id)
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onload = () => {
      const { status, responseText } = request
      if (status >= 200 && status < 300) return resolve(JSON.parse(responseText) as ResultOf<E>)
      const problem = problemIn(responseText)
      const isKnown = problem.code !== undefined && problem.code in errors
      reject(new ApiError(isKnown ? (problem.code as ErrorCode) : 'Internal', status, problem, id))
    }
    request.onerror = () => reject(new ApiError('Unreachable', 0, {}, id))
    request.onabort = () => reject(new DOMException('Aborted', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
