package xcute;

import java.io.IOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is called to repeat a case: a method, or a sequence of calls on one object, between checkers.
 *
 * <p>A file says so, with a line for each method: what it is for, its class, name and descriptor, and what it is called. Inputs have the same places as in the search.
 */
final class Plan {
    /** A method or constructor, and what it is called. */
    private record Callee(Executable member, String name) {
        Class<?>[] types() {
            return member.getParameterTypes();
        }

        int width() {
            int width = 0;
            for (Class<?> type : types()) width += Inputs.width(type);
            return width;
        }

        boolean isStatic() {
            return (member.getModifiers() & 8) != 0;
        }
    }

    private Callee method;
    private Callee pre;
    private Callee post;
    private int length;
    private final List<Callee> constructors = new ArrayList<>();
    private final List<Callee> methods = new ArrayList<>();
    /** The inputs of the method, its object first. */
    private Object[] inputs = {};

    /** Reads a plan, with the classes of a loader. */
    Plan(String file, ClassLoader loader) throws IOException, ReflectiveOperationException {
        for (String line : Files.readAllLines(Path.of(file))) {
            String[] words = line.split("\t");
            if (words[0].equals("length")) {
                length = Integer.parseInt(words[1]);
                continue;
            }
            Callee callee = new Callee(find(Class.forName(words[1], false, loader), words[2], words[3]), words[4]);
            ((AccessibleObject) callee.member).setAccessible(true);
            switch (words[0]) {
                case "pre": pre = callee; break;
                case "post": post = callee; break;
                case "method": method = callee; break;
                case "new": constructors.add(callee); break;
                default: methods.add(callee);
            }
        }
    }

    private static Executable find(Class<?> type, String name, String wanted) throws NoSuchMethodException {
        if (name.equals("<init>")) {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if ((descriptor(constructor) + 'V').equals(wanted)) return constructor;
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name) && (descriptor(method) + method.getReturnType().descriptorString()).equals(wanted)) return method;
        }
        throw new NoSuchMethodException(name + wanted);
    }

    private static String descriptor(Executable member) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : member.getParameterTypes()) text.append(parameter.descriptorString());
        return text.append(')').toString();
    }

    /** Takes the inputs of the method; a sequence takes them as it goes on. */
    void take() {
        if (method == null) return;
        boolean main = method.isStatic() && method.member.getName().equals("main") && descriptor(method.member).equals("([Ljava/lang/String;)");
        if (main) return;
        Class<?>[] types = method.types();
        int receiver = method.isStatic() ? 0 : 1;
        inputs = new Object[receiver + types.length];
        if (receiver == 1) inputs[0] = Inputs.object();
        for (int i = 0; i < types.length; i++) inputs[receiver + i] = Inputs.value(types[i]);
    }

    /** Makes the calls; the type and the value of what the method returned. */
    String run() throws ReflectiveOperationException {
        if (method == null) return sequence();
        accept(inputs);
        boolean main = method.types().length > inputs.length;
        Object result = call(method, main ? new Object[] {new String[0]} : inputs);
        hold(method, inputs);
        return described(((Method) method.member).getReturnType(), result);
    }

    private String sequence() throws ReflectiveOperationException {
        Object[] it = {};
        int place = 0;
        if (!constructors.isEmpty()) {
            Callee constructor = constructors.get(chosen(constructors, place));
            it = new Object[] {((Constructor<?>) constructor.member).newInstance(arguments(constructors, constructor, place))};
            hold(constructor, it);
            place += width(constructors);
        }
        for (int call = 0; call < length; call++, place += width(methods)) {
            accept(it);
            Callee chosen = methods.get(chosen(methods, place));
            Object[] arguments = arguments(methods, chosen, place);
            Object receiver = chosen.isStatic() ? null : it[0];
            ((Method) chosen.member).invoke(receiver, arguments);
            hold(chosen, it);
        }
        return described(void.class, null);
    }

    /** The one that the input at a place names, else the last. */
    private static int chosen(List<Callee> all, int place) {
        Inputs.next = place;
        long number = Inputs.next(4) & 0xffffffffL;
        return (int) Math.min(number, all.size() - 1);
    }

    private static Object[] arguments(List<Callee> all, Callee chosen, int place) {
        Inputs.next = place + 1;
        for (Callee callee : all) {
            if (callee == chosen) break;
            Inputs.next += callee.width();
        }
        Class<?>[] types = chosen.types();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) arguments[i] = Inputs.value(types[i]);
        return arguments;
    }

    private static int width(List<Callee> all) {
        int width = 1;
        for (Callee callee : all) width += callee.width();
        return width;
    }

    /** Calls a method with the first of these values, the object that it is called on before the others. */
    private static Object call(Callee callee, Object[] values) throws ReflectiveOperationException {
        int receiver = callee.isStatic() ? 0 : 1;
        Object[] arguments = new Object[callee.types().length];
        System.arraycopy(values, receiver, arguments, 0, arguments.length);
        return ((Method) callee.member).invoke(receiver == 1 ? values[0] : null, arguments);
    }

    /** Only inputs that the checker accepts are used; it does not if it throws. */
    private void accept(Object[] values) throws ReflectiveOperationException {
        if (pre == null) return;
        boolean accepted;
        try {
            accepted = (Boolean) call(pre, values);
        } catch (InvocationTargetException e) {
            accepted = false;
        }
        if (!accepted) Inputs.reject();
    }

    /** The checker must hold after a call. */
    private void hold(Callee callee, Object[] values) throws ReflectiveOperationException {
        if (post == null || (Boolean) call(post, values)) return;
        String message = post.member.getName() + " does not hold after " + callee.name;
        throw new InvocationTargetException(new AssertionError(message));
    }

    /** Whether a text arrives as it is: 0 and 1 mark ends, and halves of characters have no bytes. */
    private static boolean isWritten(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < 2 || Character.isSurrogate(text.charAt(i))) return false;
        }
        return true;
    }

    /** The type of what a method returned, and its value if it is a number, character, boolean or string. */
    private static String described(Class<?> type, Object value) {
        if (type == void.class) return "void\0\0";
        if (value == null) return "null\0\0";
        if (type.isPrimitive()) return type.getName() + '\0' + value + '\0';
        if (value instanceof String && isWritten((String) value)) return "String\0" + value + '\0';
        return value.getClass().getName() + "\0\0";
    }
}
