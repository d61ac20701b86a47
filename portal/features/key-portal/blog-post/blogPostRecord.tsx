/* oxlint-disable react-hooks/rules-of-hooks -- the form draws these fields as components */
import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type BlogFile,
  type BlogPost,
  type BlogVisibility,
  blogFileRule,
  blogPosts,
  longestBlogExcerpt,
  longestBlogTitle,
  NewBlogPost,
} from '#contract/key-portal/blog-post.ts'
import { plainText } from '#contract/rules/rich-text.ts'
import { call } from '#portal/app/api.ts'
import { upload } from '#portal/app/upload.ts'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { RichTextField } from '#portal/ui/form/fields/RichTextField.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import { type DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { UploadField } from '../UploadField.tsx'
import { useFileUrl } from '../useFileUrl.ts'

/** The address, made from the title on request. */
const slug: DrawField = ({ values, merchantId: _, ...field }) => {
  const { t } = useTranslation('blog-post')
  const { it, en } = values.title as BlogPost['title']
  const title = it.trim() || en.trim()
  const make = async () => {
    const { slug: free } = await call(blogPosts.getBlogSlug, { query: { title } })
    if (free === '') field.form.setFieldError('slug', t('slug.none'))
    else field.form.setFieldValue('slug', free)
  }
  return (
    <div>
      <TextField {...field} description={t('slug.hint')} />
      <Button variant="subtle" size="xs" mt={4} disabled={title === '' || field.isReadOnly === true} onClick={make}>
        {t('slug.make')}
      </Button>
    </div>
  )
}

const visibility: DrawField = ({ values: _, merchantId: __, ...field }) => {
  const { t } = useTranslation('blog-post')
  const options = ([0, 1] as const satisfies readonly BlogVisibility[]).map((one) => ({
    value: String(one),
    label: t(`visibility.${one}`),
  }))
  return <SelectField {...field} options={options} keep={Number} />
}

/** A text in Italian and in English. */
const inBoth =
  (words: 'title' | 'excerpt', maxLength: number, rows?: number): DrawField =>
  ({ values: _, merchantId: __, name, ...field }) => {
    const { t } = useTranslation('blog-post')
    const fieldProps = { ...field, maxLength, isRequired: true, ...(rows !== undefined && { rows }) }
    return (
      <>
        <TextField {...fieldProps} name={`${name}.it`} label={t(`field.${words}It`)} />
        <TextField {...fieldProps} name={`${name}.en`} label={t(`field.${words}En`)} />
      </>
    )
  }

const content: DrawField = ({ values: _, merchantId: __, ...field }) => {
  const { t } = useTranslation('blog-post')
  return (
    <Stack gap="wide">
      <RichTextField {...field} name="content.it" label={t('field.contentIt')} isRequired />
      <RichTextField {...field} name="content.en" label={t('field.contentEn')} isRequired />
    </Stack>
  )
}

const media: DrawField = ({ values, merchantId: _, ...field }) => {
  const { t } = useTranslation('blog-post')
  const { value, set, input, isFixed } = useField<string | null, Record<string, unknown>>(field)
  const [sent, setSent] = useState<BlogFile | null>(null)
  const stored = values.media as BlogFile | null | undefined
  const name = t('field.mediaId')
  const file =
    value === null ? null : sent?.id === value ? sent : (stored ?? { id: value, name, bytes: 0, type: 'jpg' })
  const url = useFileUrl(blogPosts.getBlogFileContent, { blogFileId: value ?? '' }, value)
  const isVideo = file?.type === 'mp4' || file?.type === 'webm'
  return (
    <UploadField
      label={name}
      ruleOf={({ kind }) => blogFileRule(kind)}
      file={file as BlogFile | null}
      preview={url && (isVideo ? <video src={url} muted controls aria-label={name} /> : <img src={url} alt="" />)}
      error={input.error}
      isFixed={isFixed}
      send={(file, onProgress, signal) => upload(blogPosts.uploadBlogFile, { params: {}, file, onProgress, signal })}
      set={(next) => {
        setSent(next)
        set(next?.id ?? null)
      }}
    />
  )
}

const unwritten = { it: '', en: '' }

/** A blog post as the super admin creates and edits it. */
export const { Create, Details } = recordScreens<BlogPost>({
  words: 'blog-post',
  schema: NewBlogPost,
  cards: {
    post: {
      title: inBoth('title', longestBlogTitle),
      excerpt: inBoth('excerpt', longestBlogExcerpt, 2),
      slug,
      visibility,
      mediaId: media,
    },
    content: { content },
  },
  param: 'blogPostId',
  get: blogPosts.getBlogPost,
  create: blogPosts.createBlogPost,
  update: blogPosts.updateBlogPost,
  placeOf: ({ id }) => ({ to: '/admin/blogposts/$blogPostId', params: { blogPostId: id } }),
  list: { to: '/admin/blogposts' },
  isOfPlatform: true,
  newIn: () => ({ title: unwritten, excerpt: unwritten, content: unwritten, visibility: 0 }),
  valueText: (field, value) => {
    if (field !== 'content' && field !== 'title' && field !== 'excerpt') return undefined
    const { it, en } = value as BlogPost['content']
    return field === 'content' ? `${plainText(it)} / ${plainText(en)}` : `${it} / ${en}`
  },
})
