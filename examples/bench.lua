-- SPDX-License-Identifier: BSD-3-Clause
-- Work for a Lua interpreter: calls, tables, strings, the garbage collector.

local function fib(n)
  if n < 2 then return n end
  return fib(n - 1) + fib(n - 2)
end

local function sort_numbers(count)
  local numbers, state = {}, 42
  for i = 1, count do
    state = (state * 1103515245 + 12345) % 2147483648
    numbers[i] = state
  end
  table.sort(numbers)
  for i = 2, count do assert(numbers[i - 1] <= numbers[i]) end
end

local function count_words(count)
  local words = {}
  for i = 1, count do
    local word = string.format("w%d", i * 7 % 97)
    words[word] = (words[word] or 0) + 1
  end
  local text = {}
  for word, times in pairs(words) do text[#text + 1] = word .. "=" .. times end
  table.sort(text)
  return table.concat(text, " "):gsub("=%d+", "")
end

print("fib(21) = " .. fib(21))
sort_numbers(20000)
print(#count_words(60000) .. " characters of words")
