import { Box, Button, Flex, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, type RefObject, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#contract/errors.ts'
import type { BrokenRule } from '#contract/frame/broken.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useLivePause } from '#portal/app/live/live.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import { sentenceOf } from '../../app/apiError.ts'
import { lazyPart, Part } from '../part/lazyPart.tsx'
import classes from './FormScreen.module.css'
import { LostNote } from './LostNote.tsx'
import { RestoredNote } from './RestoredNote.tsx'
import { UnsavedGuard } from './UnsavedGuard.tsx'
import { type EditedRecord, keptOf, useEditing } from './useEditing.ts'
import { useKeptInput } from './useKeptInput.ts'
import { useRuleSentence } from './useRuleSentence.ts'
import type { SchemaForm } from './useSchemaForm.ts'

interface Props<T extends Record<string, unknown>> {
  form: SchemaForm<T>
  /**
   * Sends the values with the version on which they are based; thrown errors are shown here, at their fields. Use a
   * command with `isQuiet`. With a `record` it returns the saved record.
   */
  save: (values: T, version: number) => Promise<unknown>
  /** The edited record; without it, changes by other users are not checked. */
  record?: EditedRecord<T>
  /** The id of the record, where forms of several records share an address, such as in dialogs. */
  of?: string
  /** Fields by the server's error code, whose sentence is shown at that field. */
  codes?: Partial<Record<ErrorCode, keyof T & string>>
  /** True while saving: the command's `isPending`. */
  isSaving: boolean
  /** Full page width. */
  isWide?: boolean | undefined
  /** The fields are shown and cannot be edited. */
  isReadOnly?: boolean
  /** The values that the form starts with may be sent as they are. */
  isReady?: boolean
  /** Label of the button, "Save" by default. */
  saveName?: string
  cancel?: () => void
  /** A further button, such as a preview of the values. */
  beside?: ReactNode
  /** The error of the last attempt, from the command's `error`. */
  error?: unknown
  children: ReactNode
}

const Conflict = lazyPart(() => import('./Conflict.tsx'), ['editing'])
const JoinedNote = lazyPart(async () => ({ default: (await import('./Conflict.tsx')).JoinedNote }), ['editing'])

/** Shows the server's errors at their fields, in the reader's language. */
const setServerErrors = <T extends Record<string, unknown>>(
  form: SchemaForm<T>,
  error: unknown,
  say: (rule: BrokenRule) => string,
) => {
  if (!(error instanceof ApiError)) return
  const faults = Object.entries(error.fields).map(([path, rule]) => [path, say(rule)] as const)
  if (faults.length > 0) form.setErrors(Object.fromEntries(faults))
}

/** The first invalid focusable element: wrappers of a field are marked as invalid too. */
const faultyControl =
  ':is(input:not([type=hidden]), select, textarea, button, [tabindex]):is([aria-invalid=true], [data-error=true])'

/** In pixels; what belongs to a form is as wide. */
export const formWidth = 720

interface SendingOptions<T extends Record<string, unknown>> extends Pick<Props<T>, 'form' | 'isSaving'> {
  codes: Props<T>['codes'] | undefined
  element: RefObject<HTMLFormElement | null>
  send: () => Promise<void>
}

/** Sends a valid form; an error of the server is shown at its field, and the first wrong field gets the focus. */
function useSending<T extends Record<string, unknown>>({ form, codes, isSaving, element, send }: SendingOptions<T>) {
  const { t } = useTranslation(['ui', 'errors', 'form'])
  const say = useRuleSentence()
  const focusFirstError = () =>
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>(faultyControl)?.focus())
  const sending = async (act: () => Promise<void>) => {
    try {
      await act()
    } catch (failure) {
      setServerErrors(form, failure, say)
      const field = failure instanceof ApiError && (codes?.[failure.code as ErrorCode] ?? failure.facts.field)
      if (typeof field === 'string' && field in form.getValues())
        form.setFieldError(
          field,
          sentenceOf((key, values) => t(key, values), failure),
        )
      focusFirstError()
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSaving) return
    if (form.validate().hasErrors) return focusFirstError()
    await sending(send)
  }
  return { submit, sending }
}

/** Why the form was not saved: fields are missing or wrong, or the server refused it. */
function Problem({ errors, failure }: { errors: Readonly<Record<string, ReactNode>>; failure: unknown }) {
  const { t } = useTranslation(['ui', 'errors', 'form'])
  const hasErrors = Object.keys(errors).length > 0
  if (!hasErrors && !failure) return null
  const isIncomplete = Object.values(errors).includes(t('form:rule.required'))
  return (
    <Note tone="crit" mt="md" fw={500} role="alert">
      {isIncomplete
        ? t('form:rule.allRequired')
        : hasErrors
          ? t('ui:form.problem')
          : sentenceOf((key, values) => t(key, values), failure)}
    </Note>
  )
}

/**
 * Fields, and a save with its progress: the first invalid field gets the focus, unsaved changes are guarded, live
 * updates wait.
 */
export function FormScreen<T extends Record<string, unknown>>({
  form,
  save,
  record,
  of = '',
  codes,
  isSaving,
  isWide = false,
  isReadOnly = false,
  isReady = false,
  saveName,
  cancel,
  beside,
  error,
  children,
}: Props<T>) {
  const { t } = useTranslation(['ui', 'errors', 'form'])
  const element = useRef<HTMLFormElement>(null)
  const editing = useEditing({ form, record, save })
  const isDirty = form.isDirty()
  useLivePause(isDirty)
  const values = form.getValues()
  const { base } = editing
  const isRestored = useKeptInput({
    name: [of, ...Object.keys(values).sort()].join(' '),
    input: useMemo(() => keptOf(base(), values, form.secrets), [base, values, form.secrets]),
    isDirty: isDirty && !isReadOnly,
    restore: editing.resume,
    isQuiet: true,
  })

  const { submit, sending } = useSending({ form, codes, isSaving, element, send: editing.submit })
  const isFailed = Boolean(error) && !editing.hasLost && !editing.open
  const nameOf = (field: string) => record?.merging?.nameOf(field) ?? record?.names[field] ?? field
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => void submit(event)}
      style={{ maxWidth: isWide ? undefined : formWidth }}
    >
      {isRestored && isDirty && <RestoredNote discard={editing.discard} />}
      <Stack gap="md">
        {isReadOnly ? (
          <Box disabled component="fieldset" display="contents" className={classes.readOnly}>
            {children}
          </Box>
        ) : (
          children
        )}
      </Stack>
      <Problem errors={form.errors} failure={isFailed ? error : undefined} />
      {editing.hasLost && <LostNote />}
      <Part>
        {editing.joined && !editing.open && <JoinedNote joined={editing.joined} nameOf={nameOf} />}
        {editing.open && (
          <Conflict
            {...editing.open}
            nameOf={nameOf}
            say={(field, value) => record?.say?.(field, value) ?? (value as ReactNode)}
            settle={(fields) => void sending(() => editing.settle(fields))}
            isSaving={isSaving}
          />
        )}
      </Part>
      {!isReadOnly && (
        <Flex gap="near" wrap="wrap" mt="lg" className={`${classes.buttons} no-print`}>
          <Button
            type="submit"
            // Validation on blur would move the button from under the pointer before the click ends.
            onMouseDown={(event) => event.preventDefault()}
            loading={isSaving}
            disabled={!(isDirty || isReady) || editing.open !== undefined}
          >
            {editing.hasLost ? t('ui:error.retry') : (saveName ?? t('ui:save'))}
          </Button>
          {cancel && (
            <Button variant="default" onClick={cancel} disabled={isSaving}>
              {t('ui:cancel')}
            </Button>
          )}
          {beside}
        </Flex>
      )}
      <UnsavedGuard isDirty={isDirty && !isSaving} />
    </form>
  )
}
