import { compileScript, parse, registerTS } from '@vue/compiler-sfc'
import ts from 'typescript'
import { expect, test } from 'vitest'

registerTS(() => ts)

/** Returns the run-time type that Vue derives for a prop of a type. */
function typeOfProp(type: string): string | undefined {
  const { descriptor } = parse(
    `<script setup lang="ts">
    import { defineId, type IdOf, type ShortId, type TypedId } from 'typed-id'
    import type { TypeId } from 'typed-id/typeid'
    const UserId = defineId('user')
    type UserId = IdOf<typeof UserId>
    defineProps<{ id: ${type} }>()
    </script>`,
    { filename: import.meta.filename },
  )
  const { content } = compileScript(descriptor, { id: 'user' })
  return /id: \{ type: (.+?), required/.exec(content)?.[1]
}

test.each([
  ["TypedId<'user'>", 'String'],
  ["ShortId<'user'>", 'String'],
  ["TypeId<'order_line'>", 'String'],
  ["TypedId<'user'> | null", '[String, null]'],
  ['UserId', 'null'],
])('Vue accepts a string for a prop of the type %s', (type, expected) => {
  expect(typeOfProp(type)).toBe(expected)
})
