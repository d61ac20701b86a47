import { type ComponentProps, type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'

const classes = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ')

type Look = 'filled' | 'outline' | 'plain' | 'danger'

export function Button({
  look = 'filled',
  isBusy = false,
  icon,
  children,
  className,
  ...rest
}: ComponentProps<'button'> & { look?: Look; isBusy?: boolean; icon?: ReactNode }) {
  return (
    <button
      type="button"
      className={classes('button', look, className)}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      {...rest}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
    >
      {isBusy ? <span className="spinner" aria-hidden /> : icon}
      <span>{children}</span>
    </button>
  )
}

export function ButtonLink({
  to,
  look = 'filled',
  icon,
  children,
}: {
  to: string
  look?: Look
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <Link to={to} className={classes('button', look)}>
      {icon}
      <span>{children}</span>
    </Link>
  )
}

export function Card({ children, className, ...rest }: ComponentProps<'section'>) {
  return (
    <section className={classes('card', className)} {...rest}>
      {children}
    </section>
  )
}

/** A labelled input; the error is read with it. */
export function Field({
  label,
  hint,
  error,
  ...rest
}: ComponentProps<'input'> & { label: string; hint?: ReactNode; error?: ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-invalid={error ? true : undefined} aria-describedby={described || undefined} {...rest} />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

export function TextField({
  label,
  error,
  ...rest
}: ComponentProps<'textarea'> & { label: string; error?: ReactNode }) {
  const id = useId()
  const described = error ? `${id}-error` : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} rows={4} aria-invalid={error ? true : undefined} aria-describedby={described} {...rest} />
      {error && (
        <p className="error" id={described}>
          {error}
        </p>
      )}
    </div>
  )
}

/** One of several values, as plain radios. */
export function Choices<T extends string>({
  label,
  values,
  value,
  onChange,
  isInline = false,
}: {
  label: string
  values: readonly { value: T; label: ReactNode; isDisabled?: boolean }[]
  value: T | undefined
  onChange: (value: T) => void
  isInline?: boolean
}) {
  const name = useId()
  return (
    <fieldset className={classes('choices', isInline && 'inline')}>
      <legend>{label}</legend>
      <div>
        {values.map((one) => (
          <label key={one.value} className={classes('choice', one.isDisabled && 'disabled')}>
            <input
              type="radio"
              name={name}
              checked={one.value === value}
              disabled={one.isDisabled}
              onChange={() => onChange(one.value)}
            />
            <span>{one.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export function Switch({
  label,
  hint,
  isOn,
  isDisabled,
  onChange,
}: {
  label: ReactNode
  hint?: ReactNode
  isOn: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <label className="switch">
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  )
}

/** Something in a list: an icon, a title with its time and a note, and a figure at the end. */
export function Row({
  icon,
  title,
  when,
  note,
  end,
  to,
}: {
  icon?: ReactNode
  title: ReactNode
  when?: string
  note?: ReactNode
  end?: ReactNode
  to?: string
}) {
  const content = (
    <>
      {icon && <span className="icon">{icon}</span>}
      <span className="texts">
        <strong>{title}</strong>
        {when && <small>{when}</small>}
        {note && <small>{note}</small>}
      </span>
      {end && <span className="end">{end}</span>}
    </>
  )
  return to === undefined ? (
    <div className="row">{content}</div>
  ) : (
    <Link to={to} className="row">
      {content}
    </Link>
  )
}

export type Tone = 'ok' | 'warn' | 'crit' | 'info' | 'mute'
export const Badge = ({ tone, icon, children }: { tone: Tone; icon?: ReactNode; children: ReactNode }) => (
  <span className={`badge ${tone}`}>
    {icon}
    {children}
  </span>
)

export const Notice = ({ tone, children, ...rest }: ComponentProps<'div'> & { tone: Tone }) => (
  <div className={`notice ${tone}`} {...rest}>
    {children}
  </div>
)

export function Loading() {
  const { t } = useTranslation('key-app')
  return (
    <div className="loading" role="status">
      <span className="unseen">{t('loading')}</span>
      <span className="bone wide" />
      <span className="bone" />
      <span className="bone" />
    </div>
  )
}

export const Empty = ({ icon, title, children }: { icon?: ReactNode; title: string; children?: ReactNode }) => (
  <div className="empty">
    {icon}
    <h2>{title}</h2>
    {children}
  </div>
)
